extension DIContainer {
  /// Returns this container and its ancestors, the nearest first, up to but not including another one.
  func lineage(below end: DIContainer? = nil) -> some Sequence<DIContainer> {
    sequence(first: self) { $0.parent }.lazy.prefix { $0 !== end }
  }
}
