internal import Foundation
internal import Synchronization

/// Another process of this program, or of another build of it.
struct ChildProcess {
  static let own = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
    .resolvingSymlinksInPath()

  let executable: URL
  let name: String

  /// Runs it to its end, and receives the lines that it prints, as they come.
  ///
  /// It is interrupted if a signal has ended it, or if this process was asked to stop meanwhile.
  func run(
    _ arguments: [String], interrupt: Interrupt = .bySignal, _ receive: (String) -> Void
  ) throws(CommandFailure) {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    let output = Pipe()
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    do {
      try process.run()
    } catch {
      throw CommandFailure(.missingFile, "Cannot start '\(executable.path)'")
    }
    Interrupt.child.store(process.processIdentifier, ordering: .sequentiallyConsistent)
    // The signal may have come before.
    if interrupt.isRequested { process.terminate() }
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
    Interrupt.child.store(0, ordering: .sequentiallyConsistent)
    let status = process.terminationStatus
    let hasExited = process.terminationReason == .exit
    if hasExited, status == 0 { return }
    let interruptions = hasExited ? [ExitCode.interrupted.rawValue] : Interrupt.signals
    if interrupt.isRequested || interruptions.contains(status) {
      throw CommandFailure(.interrupted, "Interrupted")
    }
    if hasExited, status == ExitCode.invariantViolated.rawValue {
      throw CommandFailure(.invariantViolated, String(message.trimmingPrefix("Error: ")))
    }
    let reason = message.isEmpty ? "status \(status)" : message
    throw CommandFailure(.invariantViolated, "Invariant violated: \(name): its process failed: \(reason)")
  }
}
