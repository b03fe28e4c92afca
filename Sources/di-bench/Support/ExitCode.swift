/// What the process tells its caller; the values above 2 follow `sysexits.h` where that has one.
enum ExitCode: Int32 {
  case success = 0

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
}
