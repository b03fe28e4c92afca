internal import DependencyInjection

#if canImport(ObjectiveC)
  internal import ObjectiveC
#endif

/// The settings of an isolated test: the registrations of its container, and the uses that are watched.
struct Isolation: Sendable {
  var origin = IsolationOrigin.registrations

  /// The registrations to add.
  var registrations = RegistrationList()

  /// The handling of code that may have lost the container; nil for that of the outer isolation, or else a warning.
  var escapes: EscapeHandling?

  /// The overrides that fail the test; nil for those of the outer isolation, or else none.
  var overrides: OverrideExpectations?

  /// A Boolean value that indicates whether the test is a closure of `withIsolatedContainer`.
  var isClosure = false

  /// A Boolean value that indicates whether resolutions are recorded; nil for the outer isolation's, or else true.
  var isRecorded: Bool?

  /// Runs a closure as a test.
  func run<Result>(
    _ name: String, in framework: TestFramework, at place: FailureLocation?, _ body: () throws -> Result
  ) rethrows -> Result {
    var running: ActiveTest? = begin(name, in: framework, at: place)
    let test = running!.test
    defer {
      if let ended = running.take() { ActiveTests.end(ended) }
      test.reportUnreleased()
    }
    return try IsolatedTest.$current.withValue(test) {
      try releasing {
        try DIContainer.withCurrent(running!.container) {
          // While the container is current, because a `deinit` may resolve.
          defer { running!.container.end() }
          return try body()
        }
      }
    }
  }

  /// Runs an asynchronous closure as a test.
  func run<Result>(
    _ name: String, in framework: TestFramework, at place: FailureLocation?,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    var running: ActiveTest? = begin(name, in: framework, at: place)
    let test = running!.test
    do {
      let result = try await IsolatedTest.$current.withValue(
        test,
        operation: {
          try await DIContainer.withCurrent(running!.container, isolation: isolation) {
            defer { running!.container.end() }
            return try await body()
          }
        },
        isolation: isolation)
      await end(&running, isolation: isolation)
      return result
    } catch {
      await end(&running, isolation: isolation)
      throw error
    }
  }

  /// Ends an asynchronous test.
  private func end(_ running: inout ActiveTest?, isolation: isolated (any Actor)?) async {
    let test = running!.test
    if let ended = running.take() { ActiveTests.end(ended) }
    // The main actor may have to run a `deinit` first: the default isolation of a module applies to those of its types.
    if test.hasUnreleased { await MainActor.run {} }
    // What Objective-C code autoreleased is released with the part of the task that ends here. Another thread may still
    // be releasing it, and another actor may run a `deinit`.
    for _ in 0..<1000 where test.hasUnreleased { await Task.yield() }
    test.reportUnreleased()
  }

  /// Runs a closure, and releases what its Objective-C code autoreleased.
  private func releasing<Result>(_ body: () throws -> Result) rethrows -> Result {
    #if canImport(ObjectiveC)
      try autoreleasepool(invoking: body)
    #else
      try body()
    #endif
  }

  private func begin(_ name: String, in framework: TestFramework, at place: FailureLocation?) -> ActiveTest {
    let outer = ActiveTests.running(DIContainer.bound)
    let test = IsolatedTest(
      name, in: framework, at: place, escapes: escapes ?? outer?.test.escapes ?? .warn,
      overrides: overrides ?? outer?.test.overrides ?? [], inside: outer?.test, isClosure: isClosure)
    let isRecorded = isRecorded ?? outer.map { $0.recorder != nil } ?? true
    let running = ActiveTest(test, container(for: test, isRecorded: isRecorded, inside: outer))
    ActiveTests.begin(running)
    reportOtherCopy(to: framework)
    return running
  }

  /// Returns the container of a test: registrations without instances, and a recorder.
  func container(for test: IsolatedTest, isRecorded: Bool = true, inside outer: ActiveTest? = nil) -> DIContainer {
    let container =
      origin == .empty
      ? DIContainer.unobserved()
      : DIContainer.bound.map { DIContainer(copying: $0.registry, withObservers: false) } ?? SharedContainer.copy()
    let live = container.registry.allRegistrations
    let recorder = isRecorded ? ResolutionRecorder(for: test, in: container, inside: outer?.recorder) : nil
    var ofTest: [Key: CodeLocation] = [:]
    var earlier: [Key: CodeLocation] = [:]
    // A trait that only adds registrations overrides nothing.
    registrations.forEach { definition in
      if definition.isDecoration { return }
      for (key, type) in definition.keys {
        if test.isCode(at: definition.location) {
          ofTest[key] = definition.location
        } else if let former = ofTest[key] ?? outer?.recorder?.locationOfMock(of: key) {
          recorder?.noteReplacement(of: former, by: definition, of: type)
        } else if let former = locationOfMock(of: key, for: test, inside: outer) {
          recorder?.noteReplacement(
            of: former, by: definition, of: type, "what is current around a test comes first: override it in the test")
        }
      }
      // A registration that the app has as well overrides nothing.
      let isOverride = definition.keys.contains { key, _ in
        let former = earlier[key] ?? container.registry.visibleRoot(of: key)?.definition.location
        // A module in a computed property makes them anew, at the same line. A declaration does not exist before it is
        // resolved.
        return former.map { "\($0)" != "\(definition.location)" } ?? (definition.declarationLocation != nil)
      }
      for (key, _) in definition.keys { earlier[key] = definition.location }
      if isOverride { recorder?.note(.init(definition, in: container)) }
      if isOverride || outer != nil { recorder?.watch(definition) }
    }
    if let recorder { container.addObserver(recorder) }
    if origin != .empty {
      for case let observer as UnexpectedResolutions in DIContainer.bound?.observers ?? [] {
        container.addObserver(observer)
      }
    }
    switch origin {
    case .unexpected:
      container.addObserver(LiveResolutions(live, except: registrations))
    case .registrations:
      // A registration that is live for the outer trait is live here, too.
      for case let observer as LiveResolutions in DIContainer.bound?.observers ?? [] {
        container.addObserver(observer.copy(except: registrations))
      }
    case .empty: break
    }
    container.addOverrides(registrations)
    recorder?.noteBeginning()
    outer?.recorder?.markReplaced(in: container)
    for override in outer?.recorder?.overrides(thatAnswerIn: container) ?? [] {
      // Without a recorder, nobody knows whether this test resolves it.
      if let recorder {
        recorder.note(override.inherited(by: container))
      } else {
        outer?.recorder?.markResolved(override.identity)
      }
    }
    return container
  }

  /// Returns the location of a mock that code around the test made current, without being a test; nil if there is none.
  private func locationOfMock(of key: Key, for test: IsolatedTest, inside outer: ActiveTest?) -> CodeLocation? {
    func answer(_ container: DIContainer) -> Definition? { container.registry.visibleRoot(of: key)?.definition }
    guard origin != .empty, let mock = DIContainer.bound.flatMap(answer), test.isCode(at: mock.location) else {
      return nil
    }
    // The outer test may have ended.
    let former = if let outer { outer.ask(answer) } else { answer(.shared) }
    return mock === former ? nil : mock.location
  }
}
