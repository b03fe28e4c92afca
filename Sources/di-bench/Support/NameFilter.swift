/// A regular expression that selects names.
struct NameFilter {
  let text: String
  private let regex: Regex<AnyRegexOutput>

  /// Nil if the text is no regular expression.
  init?(_ text: String) {
    guard let regex = try? Regex(text) else { return nil }
    self.text = text
    self.regex = regex
  }

  /// Whether it matches a part of the name.
  func matches(_ name: String) -> Bool {
    name.contains(regex)
  }
}

extension ParsedArguments {
  /// The value of `--filter`; nil if there is none.
  ///
  /// - Throws: A usage failure if it does not compile.
  func filter() throws(CommandFailure) -> NameFilter? {
    guard let text = values["filter"], !text.isEmpty else { return nil }
    return try value(of: "filter", as: "a regular expression") { NameFilter($0) }
  }

  /// The value of an option that is a whole number above 0; nil if it was not given.
  ///
  /// - Throws: A usage failure.
  func count(_ option: String) throws(CommandFailure) -> Int? {
    try value(of: option, as: "a number above 0") { text in Int(text).flatMap { $0 > 0 ? $0 : nil } }
  }

  /// The value of an option that is a whole number in a range; nil if it was not given.
  ///
  /// - Throws: A usage failure.
  func count(_ option: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
    try value(of: option, as: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}
