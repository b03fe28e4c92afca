internal import DependencyInjection

/// Reports each resolution of a key, until something else is registered for it.
final class UnexpectedResolutions: ResolutionObserver {
  let keys: [Key]
  private let location: FailureLocation

  /// The distance of the observed container from its root.
  fileprivate let level: Int

  init(of keys: [Key], _ location: FailureLocation, at level: Int) {
    self.keys = keys
    self.location = location
    self.level = level
  }

  /// Returns an observer of another container that reports the same.
  func copy(for container: DIContainer) -> UnexpectedResolutions {
    UnexpectedResolutions(of: keys, location, at: container.registry.level)
  }

  func didResolve(_ resolution: ResolutionEvent, for _: Definition?, from _: Definition?) {
    // A registration of a descendant is expected.
    if keys.contains(resolution.key), resolution.answer?.level ?? 0 <= level {
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

  func didChange(_ changed: Set<Key>, in container: DIContainer) {
    if changed.contains(keys[0]) { container.removeObserver(self) }
  }
}

extension DIContainer {
  /// The observers of resolutions that are unexpected here or in an ancestor.
  var unexpectedResolutions: [UnexpectedResolutions] { observers.compactMap { $0 as? UnexpectedResolutions } }

  /// The observers of resolutions that are unexpected in this container.
  var ownUnexpectedResolutions: [UnexpectedResolutions] { ownObservers.compactMap { $0 as? UnexpectedResolutions } }

  /// Observes just these unexpected resolutions in this container.
  func replaceUnexpectedResolutions(with wanted: [UnexpectedResolutions]) {
    let present = ownUnexpectedResolutions
    let wanted = wanted.map { $0.level == registry.level ? $0 : $0.copy(for: self) }
    for observer in present where !wanted.contains(where: { $0 === observer }) { removeObserver(observer) }
    for observer in wanted where !present.contains(where: { $0 === observer }) { addObserver(observer) }
  }
}
