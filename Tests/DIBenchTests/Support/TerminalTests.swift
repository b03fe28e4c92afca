internal import DependencyInjection
internal import Foundation
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

  @Test("The reason is the system's error behind the thrown one, whatever has failed since; a closed pipe is none")
  func reasonOfFailure() {
    let cases: [([Int32], String?)] = [
      ([ENOSPC], "No space left on device"), ([EPIPE], nil), ([ENOSPC, EPIPE], "No space left on device"),
      ([EPIPE, ENOSPC], "No space left on device"),
    ]
    for (codes, reason) in cases {
      let left = Locked(codes)
      let terminal = Terminal(
        output: { _ in
          close(-1)
          let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(left.withLock { $0.removeFirst() }))
          throw NSError(domain: NSCocoaErrorDomain, code: 512, userInfo: [NSUnderlyingErrorKey: cause])
        }, error: { _ in })
      for _ in codes { terminal.write("result") }
      #expect(terminal.failure?.message == reason.map { "Cannot write to standard output: \($0)" })
    }
  }

  #if os(Linux)
    @Test("A result that cannot be written is an error, and the status of a command that fails anyway stays")
    func fullOutput() throws {
      try withTemporaryFolder { folder in
        for (name, time) in [("base.csv", 10.0), ("head.csv", 20)] {
          let rows = (1...8).flatMap { SampleRows.rows(["container": time, "reference/x": 10], launch: $0) }
          try OutputFile(path: folder.appending(path: name).path).write(ResultFile.text(of: rows))
        }
        let run = ["--allow-debug", "--quick", "--filter=^resolve/shared$", "--rounds=1", "--threads=1"]
        for (arguments, code, first) in [
          (["list"], ExitCode.cannotWrite, ""), (["--help"], .cannotWrite, ""),
          (run + ["--output=a.csv"], .cannotWrite, ""),
          (["compare", "base.csv", "head.csv"], .regression, "Error: Slower than before: resolve/shared (1)\n"),
        ] {
          let process = Process()
          process.executableURL = Executables.bench
          process.currentDirectoryURL = folder
          process.arguments = arguments
          process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
          let pipe = Pipe()
          process.standardError = pipe
          try process.run()
          let errors = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
          process.waitUntilExit()
          let expected = first + "Error: Cannot write to standard output: No space left on device\n"
          #expect((process.terminationStatus, errors) == (code.rawValue, expected))
        }
        // What was measured is not lost.
        #expect(try ResultFile.read(folder.appending(path: "a.csv").path).count == 8)
      }
    }
  #endif

  private final class Texts: Sendable {
    let output = Locked("")
    let errors = Locked("")
  }
}
