/// The command line of one command, taken apart but not yet understood.
struct ParsedArguments: Equatable {
  var values: [String: String] = [:]
  var flags: Set<String> = []
  var operands: [String] = []

  /// Whether a flag was given.
  func has(_ flag: String) -> Bool {
    flags.contains(flag)
  }

  /// The value of an option, converted; nil if the option was not given.
  ///
  /// - Throws: A usage failure that names the option, if the conversion returns nil.
  func value<Value>(
    of option: String, as expectation: String, _ convert: (String) -> Value?
  ) throws(CommandFailure) -> Value? {
    guard let text = values[option] else { return nil }
    guard let value = convert(text) else {
      throw .usage("The value '\(text)' is invalid for '--\(option)': expected \(expectation)")
    }
    return value
  }
}
