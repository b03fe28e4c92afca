internal import Dispatch
internal import Foundation

/// Another process of this program, or of another build of it.
struct ChildProcess {
  let executable: URL
  /// What errors call what it does.
  let name: String
  /// How many seconds it gets to end when it is interrupted; one that hangs does not.
  var patience = 10.0
  /// The variable that tells it to end with the process that has started it.
  private static let leash = "DI_BENCH_ENDS_WITH_INPUT"

  /// Runs it to its end, and receives the lines that it prints, as they come; true if it was interrupted, by anybody.
  func run(
    _ arguments: [String], interrupt: Interrupt, _ receive: (String) -> Void
  ) throws(CommandFailure) -> Bool {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    // By a variable rather than an option, which an older build would not understand.
    process.environment = ProcessInfo.processInfo.environment.merging([Self.leash: "1"]) { _, new in new }
    let input = Pipe()
    let output = Pipe()
    let errors = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    do {
      try process.run()
    } catch {
      throw CommandFailure(.missingFile, "Cannot start '\(executable.path)'")
    }
    interrupt.observe { [patience] in
      process.interrupt()
      DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      }
    }
    defer {
      interrupt.observe(nil)
      // Open until here.
      withExtendedLifetime(input) {}
    }
    // One after the other: a process writes one line of errors at most before it ends.
    var rest = Data()
    while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
      rest += data
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        receive(String(decoding: rest[..<end], as: UTF8.self))
        rest = Data(rest[(end + 1)...])
      }
    }
    let message =
      String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
    process.waitUntilExit()
    let status = process.terminationStatus
    let hasExited = process.terminationReason == .exit
    if hasExited, status == 0 { return false }
    if hasExited, status == ExitCode.invariantViolated.rawValue {
      throw CommandFailure(.invariantViolated, String(message.trimmingPrefix("Error: ")))
    }
    // Before it has a handler, it ends by the signal itself.
    let interruptions = hasExited ? [ExitCode.interrupted.rawValue] : Interrupt.signals
    if interrupt.isRequested || interruptions.contains(status) { return true }
    let reason = message.isEmpty ? "status \(status)" : message
    throw CommandFailure(.invariantViolated, "Invariant violated: \(name): its process failed: \(reason)")
  }

  /// Ends this process as soon as the one that has started it with `run` is gone, whatever has ended that.
  ///
  /// Nobody reads what it measures any more, and it would disturb what is measured next. Its standard input is a pipe
  /// that the other holds open and never writes to.
  static func endWithParent() {
    guard ProcessInfo.processInfo.environment[leash] != nil else { return }
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while case let count = unsafe read(STDIN_FILENO, &byte, 1), count > 0 || count < 0 && errno == EINTR {}
      _exit(ExitCode.interrupted.rawValue)
    }
  }
}
