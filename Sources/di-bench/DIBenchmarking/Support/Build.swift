/// Facts about this executable that are known at compile time.
enum Build {
  /// The version of the commands and of what they print.
  static let version = "0.4.0"
  /// The version of the measuring code, to be changed whenever the same code would be timed in another way.
  static let harness = "3"

  /// A Boolean value that indicates whether the optimizer was off, so that a measurement would say nothing.
  static var isDebug: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// The beginning of results that a debug build measured.
  static let debugWarning = "From a debug build, whose times mean nothing: "

  /// The newest version known here that is not newer than the compiler in use.
  ///
  /// A program cannot ask for the exact version of the compiler that built it; it can only compare.
  static var compilerVersion: String {
    #if compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3.2)
      "6.3.2"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #else
      "6.3"
    #endif
  }
}
