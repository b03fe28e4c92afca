internal import DependencyInjection
internal import Foundation
internal import Synchronization

/// Another process of this program, or of another build of it.
struct ChildProcess {
  static let own = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
    .resolvingSymlinksInPath()

  let executable: URL
  let name: String
  /// A Boolean value that indicates whether its errors name the executable, because another one is measured, too.
  var isNamed = false

  /// Runs it to its end, and passes on the lines that it prints as they come.
  ///
  /// It counts as interrupted if a signal ended it, or if this process was asked to stop in the meantime.
  func run(
    _ arguments: [String], interrupt: Interrupt = .bySignal, _ receive: (String) -> Void
  ) throws(CommandFailure) {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    do {
      try process.run()
    } catch { throw CommandFailure(.missingFile, "Cannot start '\(executable.path)'") }
    Interrupt.child.store(process.processIdentifier, ordering: .sequentiallyConsistent)
    // The signal may have come earlier.
    if interrupt.isRequested { process.terminate() }
    // Both at once: what it measures may print any amount, and would wait for a reader.
    let said = Locked<(reason: String?, first: String?, isOpen: Bool, measured: Substring?)>((nil, nil, false, nil))
    let group = DispatchGroup()
    group.enter()
    Thread.detachNewThread {
      Self.readLines(of: errors) { line in
        said.withLock { said in
          if line.hasPrefix(Candidate.lastWordsPrefix) {
            said.measured = line.trimmingPrefix(Candidate.lastWordsPrefix)
            return
          }
          // The last error of the tool counts, or the runtime's message about a crash, or else the first line.
          let isCrash = line.contains("Fatal error: ") || line.contains("Program crashed: ")
          let isReason = line.hasPrefix("Error: ") || said.reason == nil && isCrash
          // The lines of an error that follow are indented.
          said.isOpen = isReason || said.isOpen && line.hasPrefix("  ")
          if isReason { said.reason = line } else if said.isOpen { said.reason? += "\n" + line }
          said.first = said.first ?? (line.isEmpty ? nil : line)
        }
      }
      group.leave()
    }
    Self.readLines(of: output, receive)
    group.wait()
    let (reason, first, measured) = said.withLock { ($0.reason, $0.first, $0.measured) }
    process.waitUntilExit()
    Interrupt.child.store(0, ordering: .sequentiallyConsistent)
    let status = process.terminationStatus
    let hasExited = process.terminationReason == .exit
    if hasExited, status == 0 { return }
    let interruptions = hasExited ? [ExitCode.interrupted.rawValue] : Interrupt.signals
    if interrupt.isRequested || interruptions.contains(status) {
      throw CommandFailure(.interrupted, "Interrupted" + (measured.map { " while measuring \($0)" } ?? ""))
    }
    let build = isNamed ? "'\(executable.path)': " : ""
    if !hasExited, status == SIGKILL {
      throw CommandFailure(.interrupted, build + "Killed by the system: is memory short?")
    }
    let end = hasExited ? first ?? "status \(status)" : "signal \(status)" + (first.map { ": \($0)" } ?? "")
    let message = reason ?? end
    let codes = [ExitCode.usage: ExitCode.incomparable, .invariantViolated: .invariantViolated]
    if hasExited, let code = ExitCode(rawValue: status).flatMap({ codes[$0] }) {
      throw CommandFailure(code, build + message.trimmingPrefix("Error: "))
    }
    let violation = "Invariant violated: \(measured ?? name[...]): its process failed: \(message)"
    throw CommandFailure(.invariantViolated, build + violation)
  }

  private static func readLines(of pipe: Pipe, _ receive: (String) -> Void) {
    var rest = Data()
    while case var data = pipe.fileHandleForReading.availableData, !data.isEmpty {
      while let end = data.firstIndex(of: UInt8(ascii: "\n")) {
        receive(String(decoding: rest + data[..<end], as: UTF8.self))
        (rest, data) = (Data(), data[(end + 1)...])
      }
      rest += data
    }
    if !rest.isEmpty { receive(String(decoding: rest, as: UTF8.self)) }
  }
}
