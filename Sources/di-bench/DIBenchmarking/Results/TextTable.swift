/// Rows of fields, for a terminal or for Markdown.
struct TextTable {
  let header: [String]
  /// The columns that are aligned to the left, because they are names; the others are numbers.
  let names: Set<Int>
  var rows: [[String]] = []

  func columns(_ columns: [Int]) -> TextTable {
    TextTable(
      header: columns.map { header[$0] }, names: Set(columns.indices.filter { names.contains(columns[$0]) }),
      rows: rows.map { row in columns.map { row[$0] } })
  }

  var lines: [String] {
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    return ([header] + rows).map { fields in
      let padded = zip(fields.indices, fields).map { column, field in
        let padding = String(repeating: " ", count: widths[column] - field.count)
        return names.contains(column) ? field + padding : padding + field
      }.joined(separator: "  ")
      return String(padded.reversed().drop { $0 == " " }.reversed())
    }
  }

  var markdown: [String] {
    let rule = header.indices.map { names.contains($0) ? "---" : "--:" }
    return ([header, rule] + rows).map {
      "| " + $0.map { $0.replacing("|", with: "\\|").replacing("<", with: "&lt;") }.joined(separator: " | ") + " |"
    }
  }
}
