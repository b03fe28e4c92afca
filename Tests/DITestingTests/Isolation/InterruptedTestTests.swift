@testable internal import DITesting
internal import DependencyInjection
internal import Foundation
internal import Testing

#if !os(macOS) && !os(Linux)
  #error("These tests start processes, which only macOS and Linux allow; `.ci/run simulator` runs others.")
#endif

struct InterruptedTestTests {
  @Test(
    "What an interrupted test leaves unfinished on its thread is abandoned at its end", .exitTest,
    .timeLimit(.minutes(20)))
  func abandonsCreations() async {
    await #expect(processExitsWith: .success) {
      let container = DIContainer()
      container.register(
        Shared { () -> Int in
          precondition(DIContainer.isCreating)
          TestRun.endTest()
          precondition(!DIContainer.isCreating)
          // This frame, which an exception would have skipped, stays forever.
          exit(EXIT_SUCCESS)
        })
      TestRun.begin("test", of: "Module.Tests")
      _ = container.resolve(Int.self)
    }
  }

  @Test(
    "The scopes that an interrupted test has not left are ended, and those around it stay", .exitTest,
    .timeLimit(.minutes(20)))
  func endsScopes() async {
    await #expect(processExitsWith: .success) {
      // On a thread without a task, as XCTest does.
      Thread.detachNewThread {
        // If the scopes around it have ended, there is none to end.
        withIsolatedContainer { TestRun.begin("test", of: "Module.Tests") }
        TestRun.endTest()
        withIsolatedContainer {
          let (outer, around) = (IsolatedTest.current, DIContainer.current)
          TestRun.begin("test", of: "Module.Tests")
          withIsolatedContainer {
            DIContainer.withOverrides {
              Shared(1)
            } perform: {
              precondition(ActiveTests.running(.current)?.test === IsolatedTest.current)
              precondition(IsolatedTest.current !== outer)
              TestRun.endTest()
              precondition(ActiveTests.running(.current)?.test === outer && IsolatedTest.current === outer)
              precondition(DIContainer.current == around)
              TestRun.endTest()
              precondition(DIContainer.current == around)
              // These frames, which an exception would have skipped, stay forever.
              exit(EXIT_SUCCESS)
            }
          }
        }
      }
      // Until the thread ends the process.
      await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  }

  @Test("The scopes of a task stay, because they end with it", .exitTest, .timeLimit(.minutes(20)))
  func leavesTasks() async {
    await #expect(processExitsWith: .success) {
      TestRun.begin("test", of: "Module.Tests")
      let container = DIContainer()
      DIContainer.withCurrent(container) {
        TestRun.endTest()
        precondition(DIContainer.current == container)
      }
    }
  }
}
