/// Comma-separated values as in RFC 4180.
enum CSV {
  /// One record, with the number of the line it starts on.
  struct Record: Equatable {
    let line: Int
    let fields: [String]
  }

  /// What makes a text no CSV.
  struct Malformed: Error, Equatable {
    let line: Int
    let reason: String
  }

  // MARK: Writing

  /// One line, with its end.
  static func line(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ field: String) -> String {
    // Scalars, because a line end of two bytes is one character.
    let needsQuotes = field.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return needsQuotes ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
  }

  // MARK: Reading

  /// The records of a text; lines may end as on any system.
  ///
  /// - Throws: ``Malformed``, also if the last line has no end, because then something is missing.
  static func records(_ text: String) throws(Malformed) -> [Record] {
    var reader = Reader(bytes: Array(text.utf8))
    return try reader.records()
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0
    var line = 1

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func records() throws(Malformed) -> [Record] {
      // A spreadsheet may have put a byte order mark in front.
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
      var records: [Record] = []
      while current != nil { records.append(try record()) }
      return records
    }

    private mutating func record() throws(Malformed) -> Record {
      let start = line
      var fields = [try field()]
      while current == Self.comma {
        position += 1
        fields.append(try field())
      }
      if current == Self.carriageReturn { position += 1 }
      guard let end = current else { throw Malformed(line: line, reason: "the file ends in the middle of a line") }
      guard end == Self.lineFeed else { throw Malformed(line: line, reason: "text after a quoted field or a lone CR") }
      position += 1
      line += 1
      return Record(line: start, fields: fields)
    }

    private mutating func field() throws(Malformed) -> String {
      if current == Self.quote { return try quotedField() }
      let start = position
      while let byte = current, byte != Self.comma, byte != Self.carriageReturn, byte != Self.lineFeed {
        if byte == Self.quote { throw Malformed(line: line, reason: "a quote inside a field that is not quoted") }
        position += 1
      }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quotedField() throws(Malformed) -> String {
      let start = line
      var field: [UInt8] = []
      position += 1
      while let byte = current {
        position += 1
        if byte == Self.quote {
          guard current == Self.quote else { return String(decoding: field, as: UTF8.self) }
          position += 1
        } else if byte == Self.lineFeed {
          line += 1
        }
        field.append(byte)
      }
      throw Malformed(line: start, reason: "a quoted field without an end")
    }
  }
}
