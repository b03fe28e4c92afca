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
    private let shortAlias: Int32

    /// Whether it was made by `registerDependencies`, and so yields to one that was not.
    let isDefault: Bool

    init(definition: Definition, alias: Int, isDefault: Bool) {
      self.definition = definition
      shortAlias = Int32(alias)
      self.isDefault = isDefault
    }
  }

  /// An instance that is kept.
  struct Instance {
    let definition: Definition
    let box: Box

    /// The instance as each of the registration's aliases; nil for one that it turned out not to conform to.
    let views: [Box?]

    let dependencies: Dependencies
  }

  /// Whether `registerDependencies` has been called for this container.
  enum Defaults {
    /// It is not called for containers that were made empty.
    case none

    /// The next resolve calls it.
    case pending

    /// A thread is calling it.
    case running(Creation)
  }

  /// The newest registration of every key.
  package var records: [Key: Record] = [:]

  /// The instances that exist, by the identity of their registration.
  var instances: [ObjectIdentifier: Instance] = [:]

  var defaults: Defaults

  init(defaults: Defaults) {
    self.defaults = defaults
  }

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

  /// The containers whose parent this is.
  var children: [ObjectIdentifier: WeakContainer] = [:]

  /// Where a type was asked for as an optional and answered through the table: the key of the optional, by that of the
  /// type.
  var optionalKeys: [Key: Key] = [:]

  /// Sees every resolve; while there is one, nothing is answered through the table.
  var observer: (any ResolutionObserver)?
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
  var withdrawals: [Withdrawal] = []
  var instances: [Registry.Instance] = []
  var registry: Registry?

  /// The registrations that are gone, or that have been registered again.
  var definitions: [Definition] = []

  /// The registrations of instances that are kept for a descendant, and that it may have lost the last alias of.
  var suspects: [Definition] = []

  /// The keys that something else answers now; left empty where nobody needs to know.
  var keys: Set<Key> = []

  /// Whether nothing that was built from the container's registrations is good any more.
  var isEverything = false

  /// The containers in which instances of the registrations may be kept too.
  var children: [DIContainer] = []

  /// Whether anybody needs to know the keys.
  let tracksKeys: Bool

  init(tracksKeys: Bool) { self.tracksKeys = tracksKeys }

  /// Notes that something else answers a key now.
  func note(_ key: Key) {
    if tracksKeys { keys.insert(key) }
  }

  /// Whether the change may matter to anybody else.
  var isChange: Bool { isEverything || !keys.isEmpty || !definitions.isEmpty }

  /// Whether an instance that a descendant keeps is not what it would get now.
  func concerns(_ instance: Registry.Instance) -> Bool {
    concerns(instance.definition) || !instance.dependencies.keys.isDisjoint(with: keys)
  }

  /// Whether no instance that a descendant has from a registration is what it would get now.
  func concerns(_ definition: Definition) -> Bool {
    isEverything || definitions.contains { $0 === definition }
  }

  /// Whether something else answers one of the keys of a registration now.
  func affects(_ definition: Definition) -> Bool {
    definition.hasKey { keys.contains($0) }
  }

  deinit {
    for withdrawal in withdrawals { withdrawal.release() }
  }
}
