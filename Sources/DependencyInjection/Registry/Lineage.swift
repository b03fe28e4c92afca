/// A container and its ancestors, the nearest first.
struct Lineage: Sequence, IteratorProtocol {
  private var upcoming: DIContainer?
  private let end: DIContainer?

  /// - Parameters:
  ///   - start: The first container; nil for an empty sequence.
  ///   - end: The ancestor in front of which the sequence ends; nil for all ancestors.
  init(from start: DIContainer?, below end: DIContainer? = nil) {
    upcoming = start
    self.end = end
  }

  mutating func next() -> DIContainer? {
    guard let container = upcoming, container !== end else { return nil }
    upcoming = container.parent
    return container
  }
}

extension DIContainer {
  /// Returns this container and its ancestors, up to but not including another one.
  func lineage(below end: DIContainer? = nil) -> Lineage { Lineage(from: self, below: end) }
}
