internal import DependencyInjection
internal import Foundation

/// The streams that commands write to: results to standard output, everything else to standard error.
package struct Terminal: Sendable {
  /// A Boolean value that indicates whether somebody watches standard error, so that progress is worth showing.
  var showsProgress = false
  /// A Boolean value that indicates whether colors help the reader of standard output.
  var usesColor = false
  let output: @Sendable (String) throws -> Void
  let error: @Sendable (String) -> Void
  /// The system's error when text could not be written to standard output; 0 if all was.
  private let problem = Locked<Int32>(0)

  /// The streams of the process; unbuffered, so that what is printed before a measurement is seen before it.
  ///
  /// Factories and benchmarks print, too: what they print goes to standard error.
  static func ownOutput() -> Terminal {
    let output = FileHandle(fileDescriptor: dup(STDOUT_FILENO))
    // No other process may hold it open.
    _ = fcntl(output.fileDescriptor, F_SETFD, FD_CLOEXEC)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return Terminal(
      showsProgress: isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["CI"] == nil,
      usesColor: usesColor(isatty(output.fileDescriptor) == 1, ProcessInfo.processInfo.environment),
      output: { try output.write(contentsOf: Data($0.utf8)) },
      error: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) })
  }

  /// A Boolean value that indicates whether to use colors: on a terminal that has them, unless the environment says no.
  static func usesColor(_ isTerminal: Bool, _ environment: [String: String]) -> Bool {
    isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// The same streams with all output on standard error.
  var withoutOutput: Terminal { Terminal(showsProgress: showsProgress, output: error, error: error) }
  func write(_ text: String) {
    do { try output(text) } catch {
      problem.withLock { if [0, EPIPE].contains($0) { $0 = OutputFile.code(of: error) } }
    }
  }
  package func print(_ line: String = "") { write(line + "\n") }
  /// The failure to write something to standard output; nil if all was written, or a reader has enough, as `head` does.
  var failure: CommandFailure? {
    guard case let code = problem.withLock({ $0 }), ![0, EPIPE].contains(code) else { return nil }
    return CommandFailure(.cannotWrite, "Cannot write to standard output: \(OutputFile.reason(code))")
  }
  func printError(_ line: String) { error(line + "\n") }
  /// Replaces the line that shows the progress, if it is shown.
  package func showProgress(_ line: String) { if showsProgress { error("\r\u{1B}[K" + line) } }
  package func clearProgress() { showProgress("") }
}
