@testable import DITesting
import DependencyInjection
import Testing

@Suite(.expectingIssues)
struct LateResolveTests {
  private func text(_ name: String, at line: Int, in test: String = "short test") -> String {
    """
    A resolution of '\(name)' ended after its test.
      asked at   DITestingTests/LateResolveTests.swift:\(line)
      test       \(test)
      note       make the test wait for the task that resolves it, or cancel the task
    """
  }

  @Test("is reported once for each location, with the test and what to do, unless it is ignored or was canceled")
  func isReported() async {
    // Is reported once for each location, with the test and what to do, and not counted; what factories ask is not.
    do {
      let line = #line + 5
      await expectFailures(
        text("HomeViewModel", at: line), text("Router (spare)", at: line + 1), text("Int", at: line + 2)
      ) {
        await resolveTooLate {
          for _ in 0..<3 { _ = DIContainer.resolve(HomeViewModel.self) }
          for _ in 0..<3 { _ = DIContainer.resolve((any Router).self, named: "spare") }
          #expect(DIContainer.resolve(Int?.self) == nil)
        }
      }
    }
    // Is reported in a copy of the test's container, too.
    do {
      let line = #line + 9
      await expectFailures(text("Router", at: line)) {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = await isolated("short test") {
          DIContainer.withOverrides {
            Shared(MockRouter() as any Router)
          } perform: {
            Task {
              for await _ in end {}
              _ = DIContainer.resolve((any Router).self)
            }
          }
        }
        continuation.finish()
        await task.value
      }
    }
    // What a closure with a container of its own has created may be used after it.
    do {
      let line = #line + 9
      let note = "\n  note       what a closure of `withIsolatedContainer` creates must be used in that closure"
      let name = "\(Test.current!.name) (\(Test.current!.sourceLocation))"
      await expectFailures(text("Router", at: line, in: name + note)) {
        let container = withIsolatedContainer {
          appRegistrations
        } perform: {
          DIContainer.current
        }
        _ = container.resolve((any Router).self)
      }
    }
    // So may a child of it, by the test around the closure, or by another test.
    for isAround in [true, false] {
      let line = #line + 8
      await expectFailures(text("Router", at: line)) {
        await isolated("other test") {
          let make: @Sendable () async -> DIContainer = { DIContainer(parent: .current) }
          let child =
            isAround
            ? await isolated("short test", make) : await Task.detached { await isolated("short test", make) }.value
          child.register(New(MockRouter() as any Router))
          _ = child.resolve((any Router).self)
        }
      }
    }
    do {
      await expectFailures { await resolveTooLate(escapes: .ignore) { _ = DIContainer.resolve((any Router).self) } }
    }
    do {
      let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
      let task = await isolated("short test") {
        DIContainer.register(
          Shared { () async throws -> MockRouter in
            beginning.finish()
            try await Task.sleep(for: .seconds(600))
            return MockRouter()
          })
        let task = Task { _ = try await DIContainer.resolveAsync(MockRouter.self) }
        for await _ in begun {}
        return task
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}

/// Runs a closure in a task that outlives its test.
private func resolveTooLate(escapes: EscapeHandling? = nil, _ body: @escaping @Sendable () -> Void) async {
  let (end, continuation) = AsyncStream.makeStream(of: Void.self)
  let task = await isolated("short test", escapes: escapes) {
    DIContainer.register {
      appRegistrations
      Shared(MockRouter() as any Router, named: "spare")
    }
    _ = DIContainer.resolve((any Router).self)
    return Task {
      for await _ in end {}
      body()
      #expect(DIContainer.resolveCount(of: (any Router).self) == 1)
    }
  }
  continuation.finish()
  await task.value
}
