/// What a container stores, as one value: a copy of it is a snapshot.
///
/// The dictionaries share their storage with their copies until one of them changes, so a copy costs O(1) and the first
/// change after it O(n) once.
package struct Registry {
  /// What answers a key.
  package struct Record {
    /// The registration.
    package let definition: Definition

    /// Which of the registration's aliases the key is, or -1 if it is the type itself.
    var alias: Int { Int(shortAlias) }

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

  /// An instance that is kept.
  struct Instance: Sendable {
    let definition: Definition

    /// The instance, or a `WeakReference` to it while the registry holds an instance that it does not keep alive.
    let box: Box

    /// The instance as each of the registration's aliases; nil for one that it turned out not to conform to.
    let views: [Box?]

    var dependencies: Dependencies

    /// Its place among the instances that have been kept.
    fileprivate(set) var order: UInt64 = 0
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

  /// What happens when a key is asked for, besides that it is answered.
  var tripwires: [Key: Definition] = [:]

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
    var instance = instance
    instanceCount += 1
    instance.order = instanceCount
    return instances.updateValue(instance, forKey: ObjectIdentifier(instance.definition))
  }

  /// Adds what an ancestor has under other keys, in front of what is here.
  mutating func inherit(_ ancestor: Registry) {
    for (key, tripwire) in ancestor.tripwires where records[key] == nil && tripwires[key] == nil {
      tripwires[key] = tripwire
    }
    var all = ancestor.records
    for (key, var record) in records {
      record.order = all[key]?.order ?? record.order &+ ancestor.count
      all[key] = record
    }
    records = all
    count &+= ancestor.count
    if case .pending = ancestor.defaults { defaults = .pending }
  }

  /// Whether something has to happen when a key is asked for.
  func hasTripwire(_ key: Key) -> Bool { !tripwires.isEmpty && tripwires[key] != nil }

  /// Whether something here hides what an ancestor has under a key.
  func shadows(_ key: Key) -> Bool { records[key] != nil || named.contains(key) }

  /// Whether any key still leads to a registration.
  func isCurrent(_ definition: Definition) -> Bool {
    definition.hasKey { records[$0]?.definition === definition }
  }
}

/// Everything of a container that its lock guards.
struct ContainerState {
  var registry: Registry

  /// The instances that are being created, by the identity of their registration.
  var creations: [ObjectIdentifier: Creation] = [:]

  /// What this container is creating from its ancestors' registrations, unless a change has made it obsolete.
  var inheritedCreations: [ObjectIdentifier: InheritedCreation] = [:]

  /// Where instances find this container.
  var reference: ContainerReference?

  /// The containers whose parent this is.
  var children: [ObjectIdentifier: WeakContainer] = [:]

  /// Where a type was asked for as an optional and answered through the table: the key of the optional, by that of the
  /// type.
  var optionalKeys: [Key: Key] = [:]

  /// Whether to register what is registered already is an error.
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

/// What a change has removed, to be released when no lock is held: this may run any `deinit`.
final class Leftovers {
  var unclaimed: [UnclaimedReferences] = []
  var instances: [Registry.Instance] = []
  var registry: Registry?

  /// The registrations that are gone, or that have been registered again.
  var definitions: [Definition] = []

  /// The registrations that have yielded to what was there.
  var yielded: [Definition] = []

  /// The registrations of instances that are kept for a descendant, and that it may have lost the last alias of.
  var suspects: [Definition] = []

  /// The keys that something else answers now; left empty where nobody needs to know.
  var keys: Set<Key> = []

  /// Whether nothing that was built from the container's registrations is good any more.
  var isEverything = false

  /// The scope that has ended, and with it all of its instances.
  var scope: Scope?

  /// The containers in which instances of the registrations may be kept too.
  var children: [DIContainer] = []

  /// Whether instances that depend on one of the keys go as well.
  var rebuildsDependents = false

  /// Whether anybody needs to know the keys.
  let tracksKeys: Bool

  init(tracksKeys: Bool) { self.tracksKeys = tracksKeys }

  /// Notes that something else answers a key now.
  func note(_ key: Key) {
    if tracksKeys { keys.insert(key) }
  }

  /// Whether the change may matter to anybody else.
  var isChange: Bool { isEverything || scope != nil || !keys.isEmpty || !definitions.isEmpty }

  /// Whether an instance that a descendant keeps is not what it would get now.
  func concerns(_ instance: Registry.Instance) -> Bool {
    concerns(instance.definition) || !instance.dependencies.keys.isDisjoint(with: keys)
  }

  /// Whether no instance that a descendant has from a registration is what it would get now.
  func concerns(_ definition: Definition) -> Bool {
    isEverything || scope != nil && definition.lifetime.scope == scope || definitions.contains { $0 === definition }
  }

  /// Whether something else answers one of the keys of a registration now.
  func affects(_ definition: Definition) -> Bool {
    definition.hasKey { keys.contains($0) }
  }

  deinit {
    for references in unclaimed { references.release() }
  }
}
