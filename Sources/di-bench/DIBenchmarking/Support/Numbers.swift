internal import Foundation

extension Double {
  /// The number with a fixed count of decimals, the same in every locale.
  package func fixed(_ decimals: Int) -> String {
    String(format: "%.\(decimals)f", locale: Locale(identifier: "en_US_POSIX"), self)
  }

  /// The number with about three significant digits, for tables.
  package var short: String { fixed(self >= 100 ? 0 : self >= 10 ? 1 : 2) }

  /// The number with four significant digits, for files.
  var significant: String {
    if self == rounded() { return fixed(0) }
    return fixed(max(0, 3 - Int(log10(magnitude).rounded(.down))))
  }
}

extension Int {
  /// The number and what is counted: `1 launch`, `2 launches`.
  func counted(_ singular: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
  }
}

/// Writes JSON as people and other tools like it.
enum JSON {
  /// The text of a value: sorted, indented, with names such as `host_hash`, and a line end.
  static func text(of value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    // Only numbers that are not finite cannot be encoded.
    guard let data = try? encoder.encode(value) else { preconditionFailure("not finite: \(value)") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

/// A small random generator that gives the same numbers for the same seed everywhere: SplitMix64.
package struct RandomGenerator: RandomNumberGenerator {
  private var state: UInt64
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
