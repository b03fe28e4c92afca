/// What a container stores, as one value: a copy of it is a snapshot.
///
/// The dictionaries share their storage with their copies until one of them changes, so a copy costs O(1) and the first
/// change after it O(n) once.
package struct Registry {
  /// What answers a key.
  package struct Record {
    /// The registration.
    package let definition: Definition

    /// The index of the alias whose type the key has, or -1 if the key has the registration's own type.
    var alias: Int { Int(shortAlias) }

    /// A Boolean value that indicates whether the registration does not name the key, which is that of its own type
    /// beside its aliases.
    package var isImplicit: Bool { shortAlias < 0 && !definition.aliases.isEmpty && definition.implicitKey != nil }

    // Short, so that a record is two words.
    let shortAlias: Int16

    /// Whether it was made by `registerDependencies`, or for a `Dependency`, and so yields to one that was not.
    package let isDefault: Bool

    /// Its place among the records.
    fileprivate(set) var order: UInt32

    init(definition: Definition, alias: Int, isDefault: Bool, order: UInt32) {
      self.definition = definition
      shortAlias = Int16(alias)
      self.isDefault = isDefault
      self.order = order
    }

    /// The type of the key.
    package var type: Any.Type { alias < 0 ? definition.type : definition.aliases[alias].type }
  }

  /// Whether `registerDependencies` has been called for this container.
  enum Defaults {
    /// It is not called for containers that were made empty.
    case none

    /// The next resolve calls it.
    case pending

    /// A thread is calling it.
    case running(ThreadCreation)
  }

  /// The newest registration of every key.
  package var records: [Key: Record] = [:]

  /// How many records have been added, also those that are gone; the next one's place.
  private(set) var count: UInt32 = 0

  /// Where the registration was written that the one of a key has replaced last.
  var replaced: [Key: SourceLocation] = [:]

  /// In a child, the types that it has registered with a name.
  var named: Set<Key> = []

  /// The instances that exist, by the identity of their registration.
  var instances: [ObjectIdentifier: Instance] = [:]

  /// How many instances have been kept, including those that are gone.
  private var instanceCount: UInt64 = 0

  var defaults: Defaults

  init(defaults: Defaults) {
    self.defaults = defaults
  }

  /// Adds the record of a key, which takes the place of the one it replaces.
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

  /// Adds what an ancestor has under other keys, in front of what is here.
  mutating func inherit(_ ancestor: Registry) {
    var all = ancestor.records
    for (key, var record) in records {
      record.order = all[key]?.order ?? record.order &+ ancestor.count
      all[key] = record
    }
    records = all
    count &+= ancestor.count
    if case .pending = ancestor.defaults { defaults = .pending }
  }

  /// Returns whether something here hides what an ancestor has under a key.
  func shadows(_ key: Key) -> Bool { records[key] != nil || named.contains(key) }

  /// Returns whether any key still leads to a registration.
  func isCurrent(_ definition: Definition) -> Bool {
    definition.hasKey { records[$0]?.definition === definition }
  }

  /// Removes the key of a registration's own type if no key that the registration names leads to it any more.
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

/// Everything of a container that its lock guards.
struct ContainerState {
  var registry: Registry

  /// The instances that are being created, by the identity of their registration.
  var creations: [ObjectIdentifier: Creation] = [:]

  /// The number of creations that have been claimed.
  var claimCount = 0

  /// What this container is creating from its ancestors' registrations, unless a change has made it obsolete.
  var inheritedCreations: [ObjectIdentifier: InheritedCreation] = [:]

  /// Where instances find this container.
  var reference: ContainerReference?

  /// The containers whose parent this is.
  var children: [ObjectIdentifier: WeakContainer] = [:]

  /// Where a type was asked for as an optional and answered through the table: the key of the optional, by that of the
  /// type.
  var optionalKeys: [Key: Key] = [:]

  /// A Boolean value that indicates whether to register what is registered already is an error.
  var rejectsDuplicates = false

  /// See every resolve, as those of the ancestors do.
  var observers: [any ResolutionObserver] = []

  /// How many observers this container and its ancestors have; while there is one, the table stays empty.
  var observerCount = 0
}

/// The creation of an instance from an ancestor's registration.
struct InheritedCreation {
  let creation: Creation

  /// What has changed since it began; what the instance depends on is known only when it is there.
  var changedKeys: Set<Key> = []
}

/// A container that is not kept alive.
struct WeakContainer {
  weak var container: DIContainer?
}
