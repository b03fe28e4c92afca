internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import DIStressChecks
@testable import di_bench

/// A process that measures two builds: the first quickly, the second for as long as nobody stops it.
///
/// Each wait for it has a time limit, and an error that says what did not happen.
final class LongRun {
  static let watchdog = StressWatchdog(patience: 1200)

  private let process = Process()
  private let errorPipe = Pipe()

  /// The pipe that only the launch of the second build holds open.
  private let pipe: Int32

  /// The text that came through it.
  private var text = ""
  private var launch: pid_t?

  /// Starts it.
  ///
  /// - Parameters:
  ///   - folder: The folder for its files.
  ///   - command: The command of the launch of the second build; it may write to descriptor 9.
  /// - Throws: An error if it cannot be started.
  init(in folder: URL, asLaunch command: String) throws {
    let executable = Executables.bench
    let path = folder.appending(path: "pipe").path
    #expect(unsafe mkfifo(path, 0o600) == 0)
    pipe = unsafe open(path, O_RDONLY | O_NONBLOCK)
    let options = ["--allow-debug", "--filter=^resolve/shared$", "--threads=1"]
    let builds = ["base", "head"].map { folder.appending(path: $0).path }
    let quickly = (["launch", "1", "--rounds=1"] + options).joined(separator: " ")
    try makeExecutable("exec '\(executable.path)' \(quickly)", at: builds[0])
    try makeExecutable("exec 9>'\(path)'\necho $$ >&9\nexec '\(executable.path)' \(command)", at: builds[1])
    process.executableURL = executable
    process.currentDirectoryURL = folder
    process.arguments = ["ab"] + builds + options + ["--rounds=5000", "--output=x"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errorPipe
    try process.run()
  }

  var id: pid_t { process.processIdentifier }

  /// Waits until the launch of the second build has said a word, and returns its process.
  func awaitLaunch(saying word: String) throws -> pid_t {
    try Self.watchdog.wait(
      until: {
        _ = read()
        return text.contains(word)
      }, orSay: { "the launch has not said '\(word)', but '\(text)'" })
    launch = text.split(separator: "\n").first.flatMap { pid_t($0) }
    return try #require(launch)
  }

  /// Waits until the process has ended, and returns its status.
  func awaitEnd() throws -> Int32 {
    try Self.watchdog.wait(until: { !process.isRunning }, orSay: { "the run does not end" })
    return process.terminationStatus
  }

  /// Waits until the launch of the second build has ended.
  func awaitEndOfLaunch() throws {
    try Self.watchdog.wait(until: { read() == 0 }, orSay: { "the launch outlives its run" })
  }

  /// The text that it has written to standard error, once it has ended.
  var errors: String { String(decoding: errorPipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }

  /// Reads what is in the pipe; 0 at its end, and before it has a beginning.
  private func read() -> Int {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Foundation.read(pipe, &bytes, bytes.count)
    if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
    return count
  }

  /// Ends what has not ended by itself.
  func kill() {
    if process.isRunning { _ = Foundation.kill(id, SIGKILL) }
    if let launch, read() != 0 { _ = Foundation.kill(launch, SIGKILL) }
    close(pipe)
  }
}
