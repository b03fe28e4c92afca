internal import DependencyInjection

/// Reports each resolution of a key, until something else is registered for it.
final class UnexpectedResolutions: ResolutionObserver {
  let keys: [Key]
  private let location: FailureLocation

  /// The distance of the observed container from its root.
  private let level: Int

  init(of keys: [Key], _ location: FailureLocation, in container: DIContainer) {
    (self.keys, self.location, level) = (keys, location, container.registry.level)
  }

  func didResolve(_ resolution: ResolutionEvent, for _: Definition?, from _: Definition?) {
    // What a descendant registers is expected there, and what it decorates is not.
    if keys.contains(resolution.key), resolution.answer.map({ $0.level <= level }) ?? true {
      let message = """
        '\(resolution.asked)' was resolved, but the test declares it unexpected.
          \(resolution.pathAndPlace)
          declared   \(location)
        """
      Reports.add(inside: resolution) { [location] in report(message, at: location) }
    }
    Reports.make(after: resolution)
  }

  func didNotResolve(_ event: ResolutionEvent) { didResolve(event, for: nil, from: nil) }

  // A decorator is not another registration: it wraps the unexpected one.
  func didChange(_: Set<Key>, replacing replaced: Set<Key>, in container: DIContainer) {
    // This also observes the descendants and, in a copy of a child, the parent.
    if replaced.contains(keys[0]), container.registry.level == level { container.removeObserver(self) }
  }
}

extension DIContainer {
  /// The observers of resolutions that are unexpected in this container.
  var ownUnexpectedResolutions: [UnexpectedResolutions] { ownObservers.compactMap { $0 as? UnexpectedResolutions } }

  /// Replaces the observers of unexpected resolutions in this container.
  func replaceUnexpectedResolutions(with wanted: [UnexpectedResolutions]) {
    for observer in ownUnexpectedResolutions where !wanted.contains(where: { $0 === observer }) {
      removeObserver(observer)
    }
    for observer in wanted { addObserver(observer) }
  }
}
