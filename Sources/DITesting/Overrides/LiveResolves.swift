internal import DependencyInjection

/// Reports each resolve that gets what the app has registered or declared, and no test has put something in its place.
final class LiveResolves: ResolutionObserver {
  private let live: Registry
  private let container: Int
  private let places = Locked<Set<String>>([])

  /// Prepares to watch a container that has begun with these registrations.
  init(_ live: Registry, in container: DIContainer) {
    self.live = live
    self.container = container.number
  }

  func didResolve(_ resolution: ResolutionEvent) {
    if let record = resolution.record, isLive(record, resolution.key),
      places.withLock({ $0.insert(resolution.pathAndPlace).inserted })
    {
      let message = """
        '\(resolution.asked)' was resolved, and the test has not overridden it.
          \(resolution.pathAndPlace)
          registered \(record.definition.location)
          note       everything live is unexpected in this test; override it, or register it in the test
        """
      let location = resolution.location
      Reports.add(inside: resolution) { report(message, at: FailureLocation(of: nil, or: location)) }
    }
    Reports.make(after: resolution)
  }

  private func isLive(_ record: Registry.Record, _ key: Key) -> Bool {
    record.isDefault || live.records[key]?.definition === record.definition
  }
}
