internal import DependencyInjection

/// A running test with its container.
final class ActiveTest: Sendable {
  let test: IsolatedTest

  /// The numbers of the container and of the ancestors that were copied with it.
  let numbers: [Int]

  /// The recorder of the resolutions from the container, if they are recorded.
  let recorder: ResolutionRecorder?

  /// The container, until the test ends, and the number of threads that are asking it.
  private let state: Locked<(container: DIContainer?, askers: Int)>

  init(_ test: IsolatedTest, _ container: DIContainer) {
    self.test = test
    numbers = container.registry.copiedLineage.map(\.number)
    recorder = container.recorder
    state = Locked((container, askers: 0))
  }

  /// The container, for the code of the test.
  var container: DIContainer { state.withLock { $0.container! } }

  /// Asks the container; returns nil if the test has ended.
  ///
  /// The closure runs without the lock, because it may release what has been replaced. That and the reference to the
  /// container are released before the thread stops being counted.
  func ask<Answer>(_ question: (DIContainer) -> Answer?) -> Answer? {
    state.withLock { $0.askers += 1 }
    defer { state.withLock { $0.askers -= 1 } }
    return state.withLock(\.container).flatMap(question)
  }

  /// Releases the container after waiting for the threads that are asking it, so that they do not seem to keep anything
  /// of the test.
  fileprivate func release() {
    prepareRelease(of: test.values)
    let released = state.withLock { $0.container.take() }
    weak let handle = released
    while state.withLock({ $0.askers > 0 }) { CLibrary.yieldThread() }
    // On this thread, because this runs the `deinit` of everything that only the test keeps.
    _ = consume released
    if handle != nil { test.giveUpReleases() }
  }

  /// Gives each value of the test a container that is current when the value is released, on any thread: with all other
  /// registrations and the values before this one, so that no value keeps itself.
  private func prepareRelease(of values: [OverridingObject]) {
    if values.isEmpty { return }
    let registrations = container.registry.roots
    let identities = Set(values.compactMap(\.registration))
    var successor = DIContainer.unobserved()
    successor.addOverrides(RegistrationList(registrations.filter { !identities.contains(ObjectIdentifier($0)) }))
    for value in values {
      value.releaseLazyProperties()
      value.successor = successor
      guard let own = registrations.first(where: { ObjectIdentifier($0) == value.registration }) else { continue }
      successor = .unobserved(below: successor)
      successor.addOverrides(RegistrationList([own]))
    }
  }
}

/// The tests that are running with containers of their own.
///
/// Once the first one begins, the shared container is watched: code that belongs to no test and uses it may have lost
/// the container of a test.
struct ActiveTests {
  private let tests: [ActiveTest]

  private static let running = Locked<[ActiveTest]>([])
  static let escapeGuard = EscapeGuard()

  /// For each key, the last of the ended tests that used it.
  private static let ended = Locked<[Key: IsolatedTest]>([:])

  /// The running tests; nil if there are none.
  static var current: ActiveTests? {
    let tests = running.withLock { $0 }
    return tests.isEmpty ? nil : ActiveTests(tests: tests)
  }

  /// The running tests, one of which the calling code may have lost; nil if it has a container or a test, or no test runs.
  static var lostByCaller: ActiveTests? { callerHasOrigin ? nil : current }

  /// A Boolean value that indicates whether the calling code has a container or a test.
  ///
  /// A child of the shared container is no such container if it was created where none was current.
  static var callerHasOrigin: Bool {
    TestFramework.isInSwiftTesting || DIContainer.bound.map { !$0.registry.isBelowDefault } == true
  }

  /// Returns the running test that a container or one of its ancestors belongs to; nil if there is none.
  static func running(_ container: DIContainer?) -> ActiveTest? {
    guard let container, let tests = current?.tests else { return nil }
    return container.registry.ancestry.lazy.compactMap { number in
      tests.first { $0.numbers.contains(number) }
    }.first
  }

  /// The running test that the calling code belongs to, as far as its task knows; nil if there is none.
  static var ofCaller: ActiveTest? { current?.tests.first { $0.test === IsolatedTest.current } }

  /// Returns the last of the ended tests that used a key; nil if it ignores code that may have lost its container.
  static func ended(thatUsed key: Key) -> IsolatedTest? {
    let test = ended.withLock { $0[key] }
    return test?.escapes == .ignore ? nil : test
  }

  /// The framework that runs them.
  var framework: TestFramework { tests[0].test.framework }

  /// The names of the first few of them.
  var names: String { shortList(of: tests.map(\.test.name)).text }

  /// The first of them that does not ignore code that may have lost its container.
  var firstThatReports: IsolatedTest? { tests.first { $0.test.escapes != .ignore }?.test }

  /// Returns the first of them that overrode or resolved a key or, failing that, registered it.
  ///
  /// A test that warns comes before a test that does not.
  ///
  /// A registration that only the shared container has does not count: other code may have added it since.
  func first(concernedBy key: Key, of type: Any.Type) -> IsolatedTest? {
    var concerned = tests.filter { $0.recorder?.hasUsed(key) == true }
    if concerned.isEmpty {
      concerned = tests.filter { test in
        test.ask { test.recorder?.hasRegistered($0.registrations(of: key, type)) } == true
      }
    }
    return (concerned.first { $0.test.escapes == .warn } ?? concerned.first)?.test
  }

  /// Returns whether the container of one of them has a registration of a key.
  func have(_ key: Key, of type: Any.Type) -> Bool {
    tests.contains { $0.ask { !$0.registrations(of: key, type).isEmpty } == true }
  }

  // MARK: Beginning and ending

  /// Notes that a test begins.
  static func begin(_ test: ActiveTest) {
    TestRun.watch()
    let isFirst = running.withLock { tests in
      tests.append(test)
      return tests.count == 1
    }
    if isFirst {
      escapeGuard.forget()
      DIContainer.shared.addObserver(escapeGuard)
    }
  }

  /// Notes that a test is over.
  static func end(_ test: ActiveTest) {
    if let recorder = test.recorder {
      recorder.end()
      let keys = recorder.usedKeys
      ended.withLock { all in for key in keys { all[key] = test.test } }
    } else {
      if test.test.overrides.contains(.mustBeResolved) {
        test.test.reportAtEnd("Cannot check the overrides: \(notRecorded)", at: CodeLocation())
      }
      test.test.end()
    }
    running.withLock { tests in tests.removeAll { $0.test === test.test } }
    test.release()
  }

  /// Forgets a test that an exception interrupted, unless it has ended.
  static func abandon(_ test: IsolatedTest) {
    let abandoned = running.withLock { tests in
      tests.firstIndex { $0.test === test }.map { tests.remove(at: $0) }
    }
    // Outside of the lock, because this runs the `deinit` of everything that the test keeps.
    _ = consume abandoned
  }
}

extension DIContainer {
  /// Returns the registrations of a key in this container itself; all of the type if the key stands for every name.
  fileprivate func registrations(of key: Key, _ type: Any.Type) -> [(key: Key, definition: Definition)] {
    if key == .names(of: type) { return registry.visibleDefinitions(of: type) }
    return registry.visibleDefinition(of: key).map { [(key, $0)] } ?? []
  }
}
