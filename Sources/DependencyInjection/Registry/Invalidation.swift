/// The consequences of a change: what it has removed, to be released when no lock is held, because that may run any
/// `deinit`; and what it means for the containers below.
final class Invalidation {
  /// The registrations that are gone, or that have been registered again.
  var definitions: [Definition] = []

  /// The keys that something else answers now; empty where no container needs to know.
  private(set) var keys: Set<Key> = []

  /// A Boolean value that indicates whether nothing that was built from the container's registrations is good any more.
  var isEverything = false

  /// The scope that has ended, and with it all of its instances.
  var scope: Scope?

  /// A Boolean value that indicates whether instances that depend on one of the keys go as well.
  var rebuildsDependents = false

  /// The containers below, in which instances of the registrations may be kept too.
  var children: [DIContainer] = []

  /// The registrations of instances that are kept for a descendant, and to which maybe no alias leads any more.
  var possiblyUnreachable: [Definition] = []

  // MARK: Removed

  var references: [UnclaimedReferences] = []
  var instances: [Instance] = []
  var registry: Registry?

  /// The registrations that were not added, because explicit ones were there.
  var ignoredDefinitions: [Definition] = []

  private let tracksKeys: Bool

  /// Creates the invalidation of nothing.
  ///
  /// - Parameter tracksKeys: Whether a container needs to know the keys.
  init(tracksKeys: Bool) { self.tracksKeys = tracksKeys }

  /// Creates the consequences for a child.
  ///
  /// - Parameters:
  ///   - change: The consequences for the parent.
  ///   - records: What the child has itself, which hides the change from everything that is resolved through it.
  init(of change: Invalidation, below records: [Key: Registry.Record]) {
    tracksKeys = true
    isEverything = change.isEverything
    scope = change.scope
    rebuildsDependents = change.rebuildsDependents
    definitions = change.definitions
    keys = change.keys.filter { records[$0] == nil }
  }

  /// Adds a key that something else answers now.
  func add(_ key: Key) {
    if tracksKeys { keys.insert(key) }
  }

  /// Adds references to release, if there are any.
  func add(_ unclaimed: UnclaimedReferences) {
    if unclaimed.count > 0 { references.append(unclaimed) }
  }

  /// A Boolean value that indicates whether the change may matter to another container.
  var isChange: Bool { isEverything || scope != nil || !keys.isEmpty || !definitions.isEmpty }

  /// Returns whether the change makes an instance obsolete that a descendant keeps.
  func invalidates(_ instance: Instance) -> Bool {
    invalidates(instance.definition) || !instance.dependencies.keys.isDisjoint(with: keys)
  }

  /// Returns whether the change makes all instances of a registration obsolete that descendants keep.
  func invalidates(_ definition: Definition) -> Bool {
    isEverything || scope != nil && definition.lifetime.scope == scope || definitions.contains { $0 === definition }
  }

  /// Returns whether something else answers one of the keys of a registration now.
  func changesKey(of definition: Definition) -> Bool { definition.hasKey { keys.contains($0) } }

  deinit {
    for unclaimed in references { unclaimed.release() }
  }
}
