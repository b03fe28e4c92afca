/// The consequences of a change: the objects that it has removed, and its effect on the descendants.
///
/// The removed objects are released when no lock is held, because that may run any `deinit`.
final class Invalidation {
  /// The registrations that were removed, or that have been registered again.
  var definitions: [Definition] = []

  /// The keys whose answer has changed; empty if no container needs to know them.
  private(set) var keys: Set<Key> = []

  /// A Boolean value that indicates whether everything that was built from the container's registrations is obsolete.
  var isEverything = false

  /// The scope that has ended, and with it all of its instances.
  var scope: Scope?

  /// A Boolean value that indicates whether instances that depend on one of the keys are removed as well.
  var rebuildsDependents = false

  /// The child containers, which may keep instances of the registrations, too.
  var children: [DIContainer] = []

  /// The registrations to which possibly no alias leads any more, although an instance is kept for a descendant.
  var possiblyUnreachable: [Definition] = []

  /// The observers to inform of the keys.
  var observers: [any ResolutionObserver] = []

  // MARK: Removed

  var references: [UnclaimedReferences] = []
  var instances: [Instance] = []

  /// Other values that may hold the last references to any object: decorators, a registry, and registrations that were
  /// not added, because explicit ones were already there.
  var others: [Any] = []

  private let tracksKeys: Bool

  /// Creates an invalidation without consequences.
  ///
  /// - Parameter tracksKeys: A Boolean value that indicates whether a container needs to know the keys.
  init(tracksKeys: Bool) { self.tracksKeys = tracksKeys }

  /// Creates the consequences for a child.
  ///
  /// - Parameters:
  ///   - change: The consequences for the parent.
  ///   - records: The child's own records, which hide the change from everything that is resolved through the child.
  init(of change: Invalidation, below records: [Key: Registry.Record]) {
    tracksKeys = true
    isEverything = change.isEverything
    scope = change.scope
    rebuildsDependents = change.rebuildsDependents
    definitions = change.definitions
    keys = change.keys.filter { records[$0] == nil }
  }

  /// Adds a key whose answer has changed.
  func add(_ key: Key) {
    if tracksKeys { keys.insert(key) }
  }

  /// Adds references to release, if there are any.
  func add(_ unclaimed: UnclaimedReferences) {
    if unclaimed.count > 0 { references.append(unclaimed) }
  }

  /// A Boolean value that indicates whether the change may matter to another container.
  var isChange: Bool { isEverything || scope != nil || !keys.isEmpty || !definitions.isEmpty }

  /// Returns a Boolean value that indicates whether the change makes an instance that a descendant keeps obsolete.
  func invalidates(_ instance: Instance) -> Bool {
    invalidates(instance.definition) || !instance.dependencies.keys.isDisjoint(with: keys)
  }

  /// Returns a Boolean value that indicates whether the change makes all instances of a registration in descendants
  /// obsolete.
  func invalidates(_ definition: Definition) -> Bool {
    isEverything || scope != nil && definition.lifetime.scope == scope
      || definitions.contains(where: definition.contains)
  }

  /// Returns a Boolean value that indicates whether the answer to one of a registration's keys has changed.
  func changesKey(of definition: Definition) -> Bool { definition.hasKey { keys.contains($0) } }

  deinit {
    for unclaimed in references { unclaimed.release() }
  }
}
