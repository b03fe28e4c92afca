internal import DependencyInjection

/// A test that runs, with its container.
struct ActiveTest: Sendable {
  let test: IsolatedTest
  let container: DIContainer

  /// What records the resolves from the container, if anything does.
  let recorder: ResolutionRecorder?

  init(_ test: IsolatedTest, _ container: DIContainer) {
    self.test = test
    self.container = container
    recorder = container.recorder
  }
}

/// The tests that run with containers of their own at this moment.
///
/// While there are any, the shared container is watched: what resolves from it without being a part of any test may have
/// lost the container of one.
struct ActiveTests {
  private let tests: [ActiveTest]

  private static let running = Locked<[ActiveTest]>([])
  private static let guardian = EscapeGuard()

  /// The tests that run now; nil if there is none.
  static var current: ActiveTests? {
    let tests = running.withLock { $0 }
    return tests.isEmpty ? nil : ActiveTests(tests: tests)
  }

  /// The test that a container belongs to, itself or because an ancestor does; nil if there is none.
  static func running(_ container: DIContainer?) -> ActiveTest? {
    guard let container, let tests = current?.tests else { return nil }
    return sequence(first: container, next: \.parent).lazy.compactMap { container in
      tests.first { $0.container === container }
    }.first
  }

  /// The framework that runs them.
  var framework: TestFramework { tests[0].test.framework }

  /// What they are called, the first few of them.
  var names: String {
    var names: [String] = []
    for test in tests where !names.contains(test.test.name) { names.append(test.test.name) }
    let shown = names.prefix(5).joined(separator: ", ")
    return names.count <= 5 ? shown : "\(shown) and \(names.count - 5) more"
  }

  /// The first of them that wants to know of code which may have lost its container.
  var firstThatMinds: IsolatedTest? { tests.first { $0.test.escapes != .ignore }?.test }

  /// The strictest of them that has to do with a resolve: it has overridden or asked for the same, or at least registered
  /// it.
  ///
  /// That the shared container has another registration does not count: others may have registered there since.
  func strictest(concernedBy resolution: ResolutionEvent) -> IsolatedTest? {
    var concerned = tests.filter { $0.recorder?.hasUsed(resolution.key) == true }
    if concerned.isEmpty {
      concerned = tests.filter { $0.recorder?.hasRegistered($0.container.registrations(for: resolution)) == true }
    }
    let strictest = concerned.first { $0.test.escapes == .fail } ?? concerned.first { $0.test.escapes == .warn }
    return (strictest ?? concerned.first)?.test
  }

  /// Returns whether the container of one of them has what a resolve asked for.
  func have(_ resolution: ResolutionEvent) -> Bool {
    tests.contains { !$0.container.registrations(for: resolution).isEmpty }
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
      guardian.forget()
      watch()
    }
  }

  /// Notes that a test is over.
  static func end(_ test: ActiveTest) {
    if let recorder = test.recorder { recorder.end() } else { test.test.end() }
    let (ended, wasLast) = running.withLock { tests in
      let index = tests.firstIndex { $0.test === test.test }
      return (index.map { tests.remove(at: $0) }, tests.isEmpty)
    }
    if wasLast { watch() }
    _ = consume ended
  }

  /// Watches the shared container if a test is running, and no longer if none is.
  ///
  /// Without a lock: whoever does this last sees that what it has done is right, or does it again.
  private static func watch() {
    while true {
      let isWatched = running.withLock { !$0.isEmpty }
      if isWatched { DIContainer.shared.addObserver(guardian) } else { DIContainer.shared.removeObserver(guardian) }
      if running.withLock({ !$0.isEmpty }) == isWatched { return }
    }
  }
}

extension DIContainer {
  /// What this container has itself for a resolve: under its key, or under any name if it asked for all of a type.
  fileprivate func registrations(for resolution: ResolutionEvent) -> [(key: Key, record: Registry.Record)] {
    let (key, type) = (resolution.key, resolution.type)
    guard key == .names(of: type) else { return record(of: key).map { [(key, $0)] } ?? [] }
    return registry().records.filter { $1.type == type && !$1.definition.isOfDependency }.map { ($0, $1) }
  }
}
