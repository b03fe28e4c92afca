/// An instance that several resolutions return.
final class Instance: @unchecked Sendable {
  // Unchecked: changed only by the thread that creates it, before others know it, or under the lock of its container.

  let definition: Definition

  /// The instance, or a `WeakReference` to it while the registry holds an instance that it does not keep alive.
  let box: Box

  /// The instance as each of the registration's aliases; nil for one to which it does not conform.
  let views: [Box?]

  private(set) var dependencies: Dependencies

  /// The position among the instances that have been kept.
  var order: UInt64 = 0

  init(definition: Definition, box: Box, views: [Box?]? = nil, dependencies: Dependencies) {
    self.definition = definition
    self.box = box
    // Converted here where it is created: a conformance may be isolated to this actor.
    self.views = views ?? definition.aliases.map { $0.view(of: box) }
    self.dependencies = dependencies
  }

  /// Releases the owner; see `Dependencies`.
  func releaseOwner() -> OwningContainer? { dependencies.releaseOwner() }
}
