/// The status of the process; the values from 64 on follow `sysexits.h` where that has one.
package enum ExitCode: Int32, CaseIterable {
  case success = 0
  case regression = 2
  case invariantViolated = 3
  case incomparable = 4
  case unproved = 5
  case usage = 64
  case badData = 65
  case missingFile = 66
  case cannotWrite = 73
  case interrupted = 130

  var meaning: String {
    switch self {
    case .success: "All is well."
    case .regression: "Something has become slower, or allocates more."
    case .invariantViolated: "A wrong result: an invariant is violated."
    case .incomparable: "A cell is missing or measured differently, a control moved, or a build refuses the options."
    case .unproved: "Too few launches to find anything slower; with --strict, some cells are undecided."
    case .usage: "The command line is invalid, or the build is a debug build."
    case .badData: "A CSV file is damaged, of another schema, of a debug build, or not a file of results."
    case .missingFile: "A file is missing."
    case .cannotWrite: "The output, a file or standard output, exists already or cannot be written."
    case .interrupted: "Interrupted, or killed by the system; the launches that were complete are in the file."
    }
  }
}

/// The reason why a command ends early: an exit code and one line for standard error.
package struct CommandFailure: Error, Equatable {
  let code: ExitCode
  let message: String

  package init(_ code: ExitCode, _ message: String) { (self.code, self.message) = (code, message) }

  static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }
}
