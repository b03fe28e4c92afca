/// The command line of one command, parsed but not yet interpreted.
package struct ParsedArguments: Equatable {
  var values: [String: String] = [:]
  var flags: Set<String> = []
  var operands: [String] = []
  func has(_ flag: String) -> Bool { flags.contains(flag) }

  package func value<Value>(
    of option: String, as expectation: String, _ convert: (String) -> Value?
  ) throws(CommandFailure) -> Value? {
    guard let text = values[option] else { return nil }
    guard let value = convert(text) else {
      throw .usage("The value '\(text)' is invalid for '--\(option)': expected \(expectation)")
    }
    return value
  }

  /// Returns the value of an option that is a whole number in a range; nil if it is absent.
  package func count(_ option: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
    try value(of: option, as: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// The regular expression of `--filter`, as a condition on names; nil if there is none.
  func filter() throws(CommandFailure) -> ((String) -> Bool)? {
    guard let text = values["filter"], !text.isEmpty else { return nil }
    guard let regex = try value(of: "filter", as: "a regular expression", { try? Regex($0) }) else { return nil }
    return { $0.contains(regex) }
  }
}
