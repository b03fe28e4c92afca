@testable internal import DITesting
internal import DependencyInjection
internal import Foundation
internal import Testing

#if !os(macOS) && !os(Linux)
  #error("These tests start processes, which only macOS and Linux allow; `.ci/run simulator` runs others.")
#endif

struct InterruptedTestTests {
  @Test("What it leaves unfinished on its thread is abandoned at its end", .exitTest, .timeLimit(.minutes(20)))
  func abandonsCreations() async {
    await #expect(processExitsWith: .success) {
      let container = DIContainer()
      container.register(
        Shared { () -> Int in
          precondition(DIContainer.isCreating)
          TestRun.endTest()
          precondition(!DIContainer.isCreating)
          // This frame, which an exception would have skipped, stays for ever.
          exit(EXIT_SUCCESS)
        })
      TestRun.begin("test", of: "Module.Tests")
      _ = container.resolve(Int.self)
    }
  }
}
