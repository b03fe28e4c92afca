internal import DependencyInjection

/// Reports each resolution of an app registration or declaration that the test has not overridden.
final class LiveResolutions: ResolutionObserver {
  private let live: [Registrations]
  private let overrides: Locked<Set<ObjectIdentifier>>
  private let places = Locked<Set<String>>([])

  /// Prepares to watch a container that started with these registrations.
  init(_ live: [Registrations], except list: RegistrationList, and others: Set<ObjectIdentifier> = []) {
    (self.live, overrides) = (live, Locked(others))
    allow(list)
  }

  /// Returns an observer for a test inside this one, which may override more.
  func copy(except list: RegistrationList) -> LiveResolutions {
    LiveResolutions(live, except: list, and: overrides.withLock(\.self))
  }

  /// Allows what the test overrides, even if a module of the app has the same registration.
  func allow(_ list: RegistrationList) {
    list.forEach { definition in overrides.withLock { _ = $0.insert(ObjectIdentifier(definition)) } }
  }

  func didResolve(_ resolution: ResolutionEvent, for _: Definition?, from _: Definition?) {
    if let answer = resolution.answer, isLive(answer, resolution.key),
      places.withLock({ $0.insert(resolution.pathAndPlace).inserted })
    {
      let message = """
        '\(resolution.asked)' was resolved, but the test has not overridden it.
          \(resolution.pathAndPlace)
          registered \(answer.location)
          note       with `.unexpected`, a test resolves only types that it overrides or registers
        """
      let location = resolution.location
      Reports.add(inside: resolution) { report(message, at: FailureLocation(of: nil, or: location)) }
    }
    Reports.make(after: resolution)
  }

  private func isLive(_ answer: ResolutionEvent.Answer, _ key: Key) -> Bool {
    // The test may register a module of the app. It cannot register a declaration, but a declaration may have the
    // address of a released override.
    answer.isDeclared
      || !overrides.withLock { $0.contains(answer.identity) }
        && live.contains { $0.definition(of: key).map { ObjectIdentifier($0.root) } == answer.identity }
  }
}
