/// What the process tells its caller; the values above 2 follow `sysexits.h` where that has one.
enum ExitCode: Int32, CaseIterable {
  case success = 0

  /// Something has become slower.
  case regression = 2

  /// Something that was measured gave a wrong answer.
  case invariantViolated = 3

  /// The command line cannot be understood, or asks for something that is refused.
  case usage = 64

  /// A CSV file is not one of ours, or is damaged.
  case badData = 65

  /// A file that should be read is not there.
  case missingFile = 66

  /// The output cannot be written, or exists already.
  case cannotWrite = 73

  /// Somebody interrupted; what was measured until then is written.
  case interrupted = 130

  /// What it means, in a few words.
  var meaning: String {
    switch self {
    case .success: "All is well."
    case .regression: "Something has become slower."
    case .invariantViolated: "A wrong result: an invariant is violated."
    case .usage: "The command line makes no sense, or the build is a debug build."
    case .badData: "A CSV file is damaged, of another schema, or not ours."
    case .missingFile: "A file is missing."
    case .cannotWrite: "The output exists, or cannot be written."
    case .interrupted: "Interrupted; what had been measured is in the file."
    }
  }
}
