internal import Foundation

/// Reads and writes results as CSV.
enum ResultFile {
  static func text(of rows: [ResultRow]) -> String {
    CSV.line(ResultColumn.all.map(\.name)) + rows.map { line(of: $0) }.joined()
  }

  /// Returns the line of a row with its line end and, for a process that wants them, its samples.
  static func line(of row: ResultRow, withSamples: Bool = false) -> String {
    let samples = row.times.map(\.significant).joined(separator: " ")
    return CSV.line(ResultColumn.all.map { $0.write(row) } + (withSamples ? [samples] : []))
  }

  static func row(_ line: String) throws(CSV.Malformed) -> ResultRow {
    guard let record = try CSV.records(line + "\n").first else { throw CSV.Malformed(line: 1, reason: "no row") }
    var row = try row(CSV.Record(line: 1, fields: record.fields.dropLast()), ResultColumn.all)
    row.times = (record.fields.last ?? "").split(separator: " ").compactMap { Double($0) }
    return row
  }

  static func read(_ path: String) throws(CommandFailure) -> [ResultRow] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandFailure(.missingFile, "Cannot read '\(path)': no such file, or not readable")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandFailure(.badData, "\(path): not UTF-8 text")
    }
    do throws(CSV.Malformed) {
      let rows = try rows(text)
      if let count = RunDescription.read(RunDescription.Outline.self, beside: path)?.rows, count != rows.count {
        throw CSV.Malformed(
          line: rows.count + 1, reason: "there are \(rows.count) rows, but the JSON next to the file says \(count)")
      }
      return rows
    } catch { throw CommandFailure(.badData, "\(path):\(error.line): \(error.reason)") }
  }

  static func rows(_ text: String) throws(CSV.Malformed) -> [ResultRow] {
    // First, because the quotes of a JSON file or a page are no CSV; a byte order mark and a quote may be in front.
    if !text.isEmpty, text.prefixMatch(of: /\u{FEFF}?"?schema\b/) == nil {
      throw CSV.Malformed(line: 1, reason: "not a results file: the header does not begin with 'schema'")
    }
    let records = try CSV.records(text)
    guard let header = records.first else { throw CSV.Malformed(line: 1, reason: "the file is empty") }
    // Files of schema 3 lack two columns; the others mean the same.
    let old = ResultColumn.all.filter { !["p50_ns", "p90_ns"].contains($0.name) }
    let isOld = header.fields == old.map(\.name)
    let columns = ResultColumn.all.map(\.name)
    if header.fields != columns, !isOld {
      let schema = records.dropFirst().first?.fields.first
      let reason =
        if let schema, schema != ResultRow.schema {
          "the schema is '\(schema)', expected '\(ResultRow.schema)': read it with the version that wrote it, or measure again"
        } else if let missing = columns.first(where: { !header.fields.contains($0) }) {
          "the header lacks the column '\(missing)'"
        } else { "the header has columns that schema \(ResultRow.schema) does not have, or in another order" }
      throw CSV.Malformed(line: header.line, reason: reason)
    }
    guard records.count > 1 else { throw CSV.Malformed(line: header.line, reason: "there is no row below the header") }
    var lines: [[AnyHashable]: Int] = [:]
    return try records.dropFirst().map { record throws(CSV.Malformed) in
      let row = try row(record, isOld ? old : ResultColumn.all)
      if let first = lines.updateValue(record.line, forKey: [row.key, row.implementation, row.launch]) {
        throw CSV.Malformed(
          line: record.line, reason: "the same launch as in line \(first), which would count as another one: remove it")
      }
      return row
    }
  }

  private static func row(_ record: CSV.Record, _ columns: [ResultColumn]) throws(CSV.Malformed) -> ResultRow {
    guard record.fields.count == columns.count else {
      throw CSV.Malformed(line: record.line, reason: "\(record.fields.count) fields, expected \(columns.count)")
    }
    var row = ResultRow()
    for (column, field) in zip(columns, record.fields) {
      if let expectation = column.read(field, &row) {
        throw CSV.Malformed(line: record.line, reason: "'\(column.name)' is '\(field)', expected \(expectation)")
      }
    }
    return row
  }
}
