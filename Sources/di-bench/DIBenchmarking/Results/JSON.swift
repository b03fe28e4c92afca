internal import Foundation

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
