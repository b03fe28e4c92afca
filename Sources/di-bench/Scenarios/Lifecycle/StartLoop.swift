internal import Foundation

/// Starts a program and waits until it has ended, again and again.
struct StartLoop: Loop {
  private let program: String
  let registrations: Int?

  /// - Parameters:
  ///   - program: The name of an executable; it ends with status 0 if all is well.
  ///   - folder: Where it is.
  ///   - registrations: How many types the program registers; nil if none.
  init(_ program: String, in folder: URL = Executables.folder, registrations: Int? = nil) {
    self.program = folder.appending(path: program).path
    self.registrations = registrations
  }

  /// What starting a program allocates here is no part of the program.
  var countsAllocations: Bool { false }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    for _ in 0..<operations {
      guard let status = Self.status(of: program) else { throw Violation(message: "cannot start '\(program)'") }
      if status != 0 { throw Violation(message: "'\(program)' ended with status \(status)") }
    }
  }

  /// Runs a program without arguments, with nothing between this process and the system: that is what is timed.
  private static func status(of program: String) -> Int32? {
    var process = pid_t()
    var status: Int32 = 0
    // Sound: both arrays end with nil, and the strings in them are never freed, or not before the call returns.
    let result = unsafe program.withCString { path in
      var arguments = unsafe [UnsafeMutablePointer(mutating: path), nil]
      return unsafe posix_spawn(&process, path, nil, nil, &arguments, environment)
    }
    guard result == 0, unsafe waitpid(process, &status, 0) == process else { return nil }
    return status
  }

  /// The environment of this process, in memory that is never freed.
  private nonisolated(unsafe) static let environment: [UnsafeMutablePointer<CChar>?] =
    unsafe ProcessInfo.processInfo.environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
}
