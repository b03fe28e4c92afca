/// Comma-separated values as in RFC 4180.
enum CSV {
  struct Record: Equatable {
    let line: Int
    let fields: [String]
  }

  struct Malformed: Error, Equatable {
    let line: Int
    let reason: String
  }

  static func line(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") + "\r\n" }

  private static func quoted(_ field: String) -> String {
    // Scalars, because a line end of two bytes is one character.
    let needsQuotes = field.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return needsQuotes ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
  }

  /// The records of a text; lines may end as on any system.
  static func records(_ text: String) throws(Malformed) -> [Record] {
    enum State { case start, plain, quoted, closed, carriage }
    var (records, fields, field): ([Record], [String], [UInt8]) = ([], [], [])
    var (state, line, recordLine, quoteLine) = (State.start, 1, 1, 1)
    // A spreadsheet may have put a byte order mark in front.
    for byte in text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? text.utf8.dropFirst(3) : text.utf8[...] {
      let isEnd = byte == UInt8(ascii: "\n")
      let isSeparator = isEnd || byte == UInt8(ascii: ",") && state != .carriage
      if isEnd { line += 1 }
      switch (state, byte) {
      case (.quoted, UInt8(ascii: "\"")): state = .closed
      case (.quoted, _): field.append(byte)
      case (_, _) where isSeparator:
        fields.append(String(decoding: field, as: UTF8.self))
        (field, state) = ([], .start)
        if !isEnd { continue }
        records.append(Record(line: recordLine, fields: fields))
        (fields, recordLine) = ([], line)
      case (.start, UInt8(ascii: "\"")): (state, quoteLine) = (.quoted, line)
      case (.closed, UInt8(ascii: "\"")):
        field.append(byte)
        state = .quoted
      case (.start, UInt8(ascii: "\r")), (.plain, UInt8(ascii: "\r")), (.closed, UInt8(ascii: "\r")): state = .carriage
      case (.plain, UInt8(ascii: "\"")):
        throw Malformed(line: line, reason: "a quote inside a field that is not quoted")
      case (.start, _), (.plain, _):
        field.append(byte)
        state = .plain
      default: throw Malformed(line: line, reason: "text after a quoted field or a lone CR")
      }
    }
    if state == .quoted { throw Malformed(line: quoteLine, reason: "a quoted field without an end") }
    if state != .start || !fields.isEmpty {
      throw Malformed(line: line, reason: "the file ends in the middle of a line")
    }
    return records
  }
}
