@testable import DITesting
import DependencyInjection
import Testing

private let limit = Duration.seconds(600)
private let file = "DITestingTests/WaitingTests.swift"

extension DIContainer {
  fileprivate static let waitedFor = Dependency<Int>(.shared) { 1 }
}

extension ResolutionRecorder {
  /// The waits that have begun and not returned.
  fileprivate var waits: [AsyncStream<Void>.Continuation] { state.withLock { Array($0.waiting.values) } }

  /// Returns a wait as soon as one has begun, or nil if the calling task is canceled.
  fileprivate func firstWait() async -> AsyncStream<Void>.Continuation? {
    while !Task.isCancelled {
      if let wait = waits.first { return wait }
      await Task.yield()
    }
    return nil
  }
}

extension AsyncStream<Void>.Continuation {
  /// Ends a wait, so that no test needs its limit, and returns whether it was already over.
  fileprivate func end() -> Bool {
    defer { finish() }
    if case .terminated = yield() { return true }
    return false
  }
}

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct WaitingTests {
  @Test("returns at once if the number is reached already, or with the resolution that reaches it")
  func reached() async throws {
    _ = DIContainer.resolve((any Router).self)
    try await expectResolved((any Router).self, times: 1, within: limit)
    _ = DIContainer.waitedFor()
    try await expectResolved(DIContainer.waitedFor, within: limit)
    try await anew {
      let (requests, request) = AsyncStream.makeStream(of: Void.self)
      let work = Task { for await _ in requests { _ = DIContainer.resolve((any Router).self) } }
      request.yield()
      try await expectResolved((any Router).self, times: 1, within: limit)
      request.yield()
      request.yield()
      try await expectResolved((any Router).self, times: 3, within: limit)
      request.finish()
      await work.value
    }
  }

  @Test("fails if the time runs out, at once if the number is exceeded, and throws if its task is canceled")
  func over() async {
    // Fails if the time runs out, with what was resolved until then, and at once if the number is exceeded.
    await withIsolatedContainer {
      await expectFailures("Expected 'Router' to be resolved once, but it was not.") {
        try? await expectResolved((any Router).self, times: 1, within: .zero)
      }
      _ = DIContainer.resolve((any Router).self)
      let line = #line - 1
      await expectFailures(
        """
        Expected 'Router' to be resolved 2 times, but it was resolved once.
          Router (\(file):\(line))
        """
      ) { try? await expectResolved((any Router).self, times: 2, within: .zero) }
      await expectFailures(
        """
        Expected 'Router (spare)' to be resolved at least once, but it was not.
          note       it was resolved as 'Router' at \(file):\(line)
        """
      ) { try? await expectResolved((any Router).self, named: .spare, within: .zero) }
      await anew {
        _ = DIContainer.resolve((any Router).self)
        _ = DIContainer.resolve((any Router).self)
        let line = #line - 2
        await expectFailures(
          """
          Expected 'Router' to be resolved once within 600.0 seconds, but it was resolved 2 times.
            Router (\(file):\(line))
            Router (\(file):\(line + 1))
          """
        ) { try? await expectResolved((any Router).self, times: 1, within: limit) }
      }
    }
    await withIsolatedContainer {
      let waiting = Task { try await expectResolved((any Router).self, within: limit) }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }

  @Test("fails at once if nothing has to happen")
  func trueFromTheBeginning() async {
    func text(_ subject: String, _ times: String) -> String {
      """
      Cannot wait until '\(subject)' is resolved \(times): 0 is one of these numbers, so the wait would end \
      at once.
        note       wait for the end of the work, and then expect without `within:`
      """
    }
    await expectFailures(text("Router", "0 times"), text("Router", "at most 2 times"), text("Router", "0 to 3 times")) {
      try? await expectResolved((any Router).self, times: 0, within: limit)
      try? await expectResolved((any Router).self, times: ...2, within: limit)
      try? await expectResolved((any Router).self, times: 0...3, within: limit)
    }
  }

  @Test("ends with its test", .timeLimit(.minutes(20)))
  func endOfTest() async throws {
    let (task, wait) = await isolated("short test", escapes: .ignore) {
      let task = Task {
        await expectFailures("Expected 'Int' to be resolved at least once within 600.0 seconds, but it was not.") {
          try? await expectResolved(Int.self, within: limit)
        }
      }
      return (task, await DIContainer.current.recorder?.firstWait())
    }
    #expect(try #require(wait).end())
    await task.value
  }

  @Test("does not wait after its test", .timeLimit(.minutes(20)))
  func afterTest() async throws {
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let (task, testRecorder) = await isolated("short test", escapes: .ignore) {
      let task = Task {
        for await _ in ended {}
        await expectFailures("Expected 'Int' to be resolved at least once within 600.0 seconds, but it was not.") {
          try? await expectResolved(Int.self, within: limit)
        }
      }
      return (task, DIContainer.current.recorder)
    }
    let recorder = try #require(testRecorder)
    end.finish()
    await withTaskGroup { group in
      group.addTask { await task.value }
      group.addTask {
        while !Task.isCancelled {
          for wait in recorder.waits { #expect(wait.end()) }
          await Task.yield()
        }
      }
      await group.next()
      group.cancelAll()
    }
  }
}

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct HelperTests {
  func expectOpened(_ location: SourceLocation = #_sourceLocation) {
    expectResolved((any Router).self, sourceLocation: location)
  }

  func mock(_ location: SourceLocation = #_sourceLocation) {
    DIContainer.override((any Router).self, with: MockRouter(), sourceLocation: location)
  }

  func forbid(_ location: SourceLocation = #_sourceLocation) {
    DIContainer.override { Unexpected((any Analytics).self, sourceLocation: location) }
  }

  @Test("passes the location of its caller on, also to an override or what it forbids")
  func location() async {
    let found = issues { expectOpened() }
    #expect(found.map(\.sourceLocation?.line) == [#line - 1])
    do {
      mock()
      #expect(DIContainer.current.registrations.contains { "\($0.location)" == "\(#fileID):\(#line - 1)" })
      forbid()
      let line = #line - 1
      let found = issues { _ = DIContainer.resolve((any Analytics).self) }
      #expect(
        (
          found.map(\.sourceLocation?.line), found.map(\.sourceLocation?.filePath),
          found.first?.text.hasSuffix("declared   \(#fileID):\(line)")
        ) == ([line], [#filePath], true))
    }
  }
}

struct TraitClosureTests {
  private final class Mock: Sendable {}
  private static let seen = Calls<ObjectIdentifier>()
  private static let kept = Calls<Mock>()

  private static func make() async -> Mock {
    await Task.yield()
    let mock = Mock()
    kept(mock)
    return mock
  }

  @Test(
    "runs for each test case, and may await",
    .isolatedContainer(.empty) {
      let mock = await make()
      Shared(mock)
    }, arguments: 0..<3)
  func cases(number: Int) {
    Self.seen(ObjectIdentifier(DIContainer.resolve(Mock.self)))
    let seen = Self.seen.all  // of cases that run at the same time as well
    #expect(Set(seen).count == seen.count)
  }

  @Test("fails the test with the error that it throws")
  func throwing() async {
    let trait = IsolatedContainerTrait.isolatedContainer(.empty) {
      let _: Void = try Self.fail()
      New(1)
    }
    let test = Test.current
    await #expect(throws: CancellationError.self) {
      try await trait.provideScope(for: #require(test), testCase: nil) { Issue.record("The test ran.") }
    }
  }

  private static func fail() throws { throw CancellationError() }
}
