internal import DependencyInjection
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct TerminalTests {
  @Test("Progress replaces its line on standard error, and only if somebody watches")
  func progress() {
    let cases: [Bool] = [true, false]
    for isWatched in cases {
      let texts = Texts()
      let terminal = Terminal(
        showsProgress: isWatched, output: { text in texts.output.withLock { $0 += text } },
        error: { text in texts.errors.withLock { $0 += text } })
      terminal.showProgress("half")
      terminal.clearProgress()
      terminal.print("result")
      #expect(
        (texts.output.withLock { $0 }, texts.errors.withLock { $0 }) == (
          "result\n", (isWatched ? "\r\u{1B}[Khalf\r\u{1B}[K" : "")
        ))
    }
  }

  private final class Texts: Sendable {
    let output = Locked("")
    let errors = Locked("")
  }
}
