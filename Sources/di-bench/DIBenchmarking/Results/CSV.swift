/// Comma-separated values as in RFC 4180.
enum CSV {
  /// One record, with the number of the line it starts on.
  struct Record: Equatable {
    let line: Int
    let fields: [String]
  }

  /// A fault in a text that should be CSV.
  struct Malformed: Error, Equatable {
    let line: Int
    let reason: String
  }

  /// One line, with its end.
  static func line(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") + "\r\n" }

  private static func quoted(_ field: String) -> String {
    // Scalars, because a line end of two bytes is one character.
    let needsQuotes = field.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return needsQuotes ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
  }

  /// The records of a text; lines may end as on any system.
  static func records(_ text: String) throws(Malformed) -> [Record] {
    var bytes = Array(text.utf8)[...]
    // A spreadsheet may have put a byte order mark in front.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    var records: [Record] = []
    var line = 1
    while !bytes.isEmpty {
      let start = line
      var fields = [try field(&bytes, &line)]
      while bytes.first == UInt8(ascii: ",") {
        bytes.removeFirst()
        fields.append(try field(&bytes, &line))
      }
      if bytes.first == UInt8(ascii: "\r") { bytes.removeFirst() }
      guard let end = bytes.popFirst() else {
        throw Malformed(line: line, reason: "the file ends in the middle of a line")
      }
      guard end == UInt8(ascii: "\n") else {
        throw Malformed(line: line, reason: "text after a quoted field or a lone CR")
      }
      line += 1
      records.append(Record(line: start, fields: fields))
    }
    return records
  }

  private static func field(_ bytes: inout ArraySlice<UInt8>, _ line: inout Int) throws(Malformed) -> String {
    let quote = UInt8(ascii: "\"")
    guard bytes.first == quote else {
      let field = bytes.prefix { !",\r\n".utf8.contains($0) }
      if field.contains(quote) { throw Malformed(line: line, reason: "a quote inside a field that is not quoted") }
      bytes = bytes.dropFirst(field.count)
      return String(decoding: field, as: UTF8.self)
    }
    let start = line
    var field: [UInt8] = []
    bytes.removeFirst()
    while let byte = bytes.popFirst() {
      if byte == quote, bytes.popFirst(if: quote) == nil { return String(decoding: field, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { line += 1 }
      field.append(byte)
    }
    throw Malformed(line: start, reason: "a quoted field without an end")
  }
}

extension ArraySlice<UInt8> {
  /// Removes the first byte if it is this one; nil if it is not.
  fileprivate mutating func popFirst(if byte: UInt8) -> UInt8? { first == byte ? popFirst() : nil }
}
