/// How one column of a results file is written and read.
struct ResultColumn: Sendable {
  let name: String

  /// The field of a row.
  let write: @Sendable (ResultRow) -> String

  /// Puts a field into a row; returns what was expected if the field is something else.
  let read: @Sendable (String, inout ResultRow) -> String?
}

// MARK: - Kinds of columns

extension ResultColumn {
  typealias Path<Value> = WritableKeyPath<ResultRow, Value> & Sendable

  private init<Value>(
    _ name: String, _ path: any Path<Value>, as expectation: String, _ write: @escaping @Sendable (Value) -> String,
    _ read: @escaping @Sendable (String) -> Value?
  ) {
    self.name = name
    self.write = { write($0[keyPath: path]) }
    self.read = { field, row in
      guard let value = read(field) else { return expectation }
      row[keyPath: path] = value
      return nil
    }
  }

  private static func text(_ name: String, _ path: any Path<String>) -> ResultColumn {
    ResultColumn(name, path, as: "some text", { $0 }, { $0.isEmpty ? nil : $0 })
  }

  private static func optionalText(_ name: String, _ path: any Path<String?>) -> ResultColumn {
    ResultColumn(name, path, as: "text", { $0 ?? "" }, { .some($0.isEmpty ? nil : $0) })
  }

  private static func count(_ name: String, _ path: any Path<Int>) -> ResultColumn {
    ResultColumn(name, path, as: "a whole number above 0", { String($0) }, { Int($0).flatMap { $0 > 0 ? $0 : nil } })
  }

  private static func optionalCount(_ name: String, _ path: any Path<Int?>) -> ResultColumn {
    ResultColumn(
      name, path, as: "nothing or a whole number", { $0.map { String($0) } ?? "" },
      { $0.isEmpty ? .some(nil) : Int($0).flatMap { $0 >= 0 ? .some($0) : nil } })
  }

  /// Four decimals resolve a picosecond tenth and a ratio to a hundredth of a percent.
  private static func number(_ name: String, _ path: any Path<Double>, decimals: Int = 4) -> ResultColumn {
    ResultColumn(
      name, path, as: "a number, not below 0", { $0.fixed(decimals) },
      { Double($0).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } })
  }

  private static func optionalNumber(_ name: String, _ path: any Path<Double?>) -> ResultColumn {
    ResultColumn(
      name, path, as: "nothing or a number", { $0?.fixed(4) ?? "" },
      { field in field.isEmpty ? .some(nil) : Double(field).flatMap { $0.isFinite ? .some($0) : nil } })
  }
}

// MARK: - The schema

extension ResultColumn {
  /// All columns, in their order.
  static let all: [ResultColumn] = [
    ResultColumn("schema", \.schema, as: "'\(ResultRow.schema)'", { $0 }, { $0 == ResultRow.schema ? $0 : nil }),
    text("run", \.run),
    text("time", \.time),
    text("commit", \.commit),
    text("host_hash", \.hostHash),
    text("os", \.os),
    text("cpu", \.cpu),
    count("cores", \.cores),
    text("swift_version", \.swiftVersion),
    text("scenario", \.scenario),
    text("implementation", \.implementation),
    count("threads", \.threads),
    optionalCount("registrations", \.registrations),
    count("depth", \.depth),
    count("launch", \.launch),
    count("round", \.round),
    count("operations", \.operations),
    count("elapsed_ns", \.elapsedNanoseconds),
    number("ns_per_op", \.nanosecondsPerOperation),
    number("ops_per_second", \.operationsPerSecond, decimals: 0),
    optionalText("reference", \.reference),
    optionalNumber("ratio_to_reference", \.ratioToReference),
    optionalNumber("allocations_per_op", \.allocationsPerOperation),
    optionalNumber("bytes_per_op", \.bytesPerOperation),
    ResultColumn(
      "quality", \.quality, as: "nothing or marks with '+' between", { $0.text }, { Set($0) }),
    ResultColumn(
      "status", \.status, as: "'ok' or 'debug'", { $0.rawValue }, { ResultRow.Status(rawValue: $0) }),
  ]
}
