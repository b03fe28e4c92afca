/// The contents of a container as one value, so that a copy of it is a snapshot.
///
/// The dictionaries share their storage with their copies until one of them changes. So a copy costs O(1), and the
/// first change after it O(n), once.
package struct Registry {
  /// The registration of a key.
  package struct Record {
    /// The registration.
    package let definition: Definition

    /// The index of the alias whose type the key has, or -1 if the key has the registration's own type.
    ///
    /// An `Int16`, so that a record is two words.
    let alias: Int16

    /// A Boolean value that indicates whether the registration does not name the key, which is that of its own type in
    /// addition to its aliases.
    package var isImplicit: Bool { alias < 0 && !definition.aliases.isEmpty && definition.implicitKey != nil }

    /// A Boolean value that indicates whether the record is a default, which yields to one that is not.
    ///
    /// `registerDependencies` and the declaration of a `Dependency` make defaults.
    package let isDefault: Bool

    /// The position among the records.
    fileprivate(set) var order: UInt32

    /// The type of the key.
    package var type: Any.Type { alias < 0 ? definition.type : definition.aliases[Int(alias)].type }
  }

  /// The progress of `registerDependencies` for a container.
  enum Defaults {
    /// It has been called, or the container was created empty.
    case none

    /// The next resolution calls it.
    case pending

    /// A thread is calling it.
    case running(ThreadCreation)
  }

  /// The newest registration of every key.
  package var records: [Key: Record] = [:]

  /// The number of records that have been added, including removed ones; also the position of the next record.
  private(set) var count: UInt32 = 0

  /// The decorators of a key.
  package struct Decoration {
    /// The decorators, the innermost first.
    package var decorators: [Decorator] = []

    /// The registrations that answer the key, one for each decorator; none until the first resolution.
    ///
    /// The innermost one wraps the registration that this container or an ancestor has for the key.
    var definitions: [Definition] = []

    /// The decorators that `registerDependencies` has not added; nil if there are none.
    var withoutDefaults: Decoration? {
      let others = decorators.filter { !$0.isDefault }
      return others.isEmpty ? nil : Decoration(decorators: others)
    }
  }

  /// The decorators of each decorated key.
  package var decorations: [Key: Decoration] = [:]

  /// The location of the registration that was replaced last, for each key.
  var replaced: [Key: CodeLocation] = [:]

  /// The keys for all names of the types that a child has registered with a name.
  var named: Set<Key> = []

  /// The existing instances, by the identity of their registration.
  var instances: [ObjectIdentifier: Instance] = [:]

  /// The number of instances that have been kept, including removed ones.
  private var instanceCount: UInt64 = 0

  var defaults: Defaults

  /// A Boolean value that indicates whether `registerDependencies` has nothing to add any more.
  var hasAllDefaults: Bool { if case .none = defaults { true } else { false } }

  init(defaults: Defaults) {
    self.defaults = defaults
  }

  /// Adds the record of a key, and returns the record that it replaces and whose position it takes.
  mutating func put(_ record: consuming Record, at key: Key) -> Record? {
    count &+= 1
    guard let replaced = records.updateValue(record, forKey: key) else { return nil }
    records[key]?.order = replaced.order
    return replaced
  }

  /// Keeps an instance, and returns the one that it replaces.
  mutating func keep(_ instance: Instance) -> Instance? {
    instanceCount += 1
    instance.order = instanceCount
    return instances.updateValue(instance, forKey: ObjectIdentifier(instance.definition))
  }

  /// Removes the instances of ancestors' registrations, except for those that a newer registry has, too.
  ///
  /// The others may depend on a registration that an ancestor has replaced since.
  mutating func removeInheritedInstances(unlessIn newer: Registry) {
    instances = instances.filter { newer.instances[$0.key] === $0.value || isCurrent($0.value.definition.root) }
  }

  /// Adds the records of an ancestor for all other keys, in front of the own records.
  mutating func inherit(_ ancestor: Registry) {
    let hides = records
    var all = ancestor.records
    for (key, var record) in records {
      record.order = all[key]?.order ?? record.order &+ ancestor.count
      all[key] = record
    }
    records = all
    for (key, inherited) in ancestor.decorations where hides[key] == nil {
      decorations[key, default: Decoration()].decorators.insert(contentsOf: inherited.decorators, at: 0)
    }
    count &+= ancestor.count
    if case .pending = ancestor.defaults { defaults = .pending }
  }

  /// Returns a Boolean value that indicates whether something in here hides an ancestor's registration of a key.
  func shadows(_ key: Key) -> Bool { records[key] != nil || decorations[key] != nil || named.contains(key) }

  /// Returns a Boolean value that indicates whether any key still leads to a registration.
  func isCurrent(_ definition: Definition) -> Bool {
    if definition.inner != nil {
      return definition.hasKey { decorations[$0]?.definitions.contains { $0 === definition } ?? false }
    }
    return definition.hasKey { records[$0]?.definition === definition }
  }

  /// Returns a Boolean value that indicates whether a registration is the answer to a key.
  func isAnswer(_ definition: Definition, to key: Key) -> Bool {
    let answer = decorations[key].map(\.definitions.last) ?? records[key]?.definition
    return answer === definition
  }

  /// Removes the key of a registration's own type if none of the keys that the registration names leads to it any more.
  ///
  /// - Returns: The key that was removed.
  mutating func removeImplicitKey(of definition: Definition) -> Key? {
    guard let key = definition.implicitKey, records[key]?.definition === definition,
      !definition.keys.contains(where: { records[$0.key]?.definition === definition })
    else { return nil }
    records[key] = nil
    return key
  }
}

/// The state of a container that its lock guards.
struct ContainerState {
  var registry: Registry

  /// The instances that are being created, by the identity of their registration.
  var creations: [ObjectIdentifier: Creation] = [:]

  /// The number of creations that have been claimed.
  var claimCount = 0

  /// The creations from ancestors' registrations for this container, unless a change has made them obsolete, and the
  /// keys that have changed since each began.
  ///
  /// The dependencies of an instance are known only when it exists.
  var inheritedCreations: [ObjectIdentifier: (creation: Creation, changedKeys: Set<Key>)] = [:]

  /// The reference by which instances find this container.
  var reference: ContainerReference?

  /// The containers whose parent is this one.
  var children: [ObjectIdentifier: WeakContainer] = [:]

  /// The keys of optionals that are answered through the table, by the keys of the wrapped types.
  var optionalKeys: [Key: Key] = [:]

  /// A Boolean value that indicates whether registering a type twice is an error.
  var rejectsDuplicates = false

  /// The observers of this container, which receive every resolution, as those of its ancestors do.
  var observers: [any ResolutionObserver] = []

  /// The number of observers of this container and its ancestors.
  ///
  /// While it is not 0, the table stays empty.
  var observerCount = 0
}

/// A reference to a container that does not keep it alive.
struct WeakContainer {
  weak var container: DIContainer?
}
