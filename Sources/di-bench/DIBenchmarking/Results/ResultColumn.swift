/// A column of a results file, with functions that write and read it.
struct ResultColumn: Sendable {
  let name: String
  /// A Boolean value that indicates whether schema 3 does not have it.
  var isNew: Bool { ["p50_ns", "p90_ns"].contains(name) }
  /// The field of a row.
  let write: @Sendable (ResultRow) -> String
  /// Puts a field into a row; returns what was expected if the field is something else.
  let read: @Sendable (String, inout ResultRow) -> String?
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

  private static func count(_ name: String, _ path: any Path<Int>, from least: Int = 1) -> ResultColumn {
    ResultColumn(
      name, path, as: "a whole number, \(least) or more", { String($0) },
      { Int($0).flatMap { $0 >= least ? $0 : nil } })
  }

  /// One of a few words.
  private static func word<Value: RawRepresentable<String> & Sendable>(
    _ name: String, _ path: any Path<Value>, _ words: String
  ) -> ResultColumn {
    ResultColumn(name, path, as: words, { $0.rawValue }, { Value(rawValue: $0) })
  }

  private static func optionalWord<Value: RawRepresentable<String> & Sendable>(
    _ name: String, _ path: any Path<Value?>, _ words: String
  ) -> ResultColumn {
    ResultColumn(
      name, path, as: words, { $0?.rawValue ?? "" },
      { field in field.isEmpty ? .some(nil) : Value(rawValue: field).map { .some($0) } })
  }

  private static func number(_ name: String, _ path: any Path<Double?>) -> ResultColumn {
    ResultColumn(
      name, path, as: "nothing or a number", { $0?.significant ?? "" },
      { field in field.isEmpty ? .some(nil) : Double(field).flatMap { $0.isFinite ? .some($0) : nil } })
  }

  private static func positive(_ name: String, _ path: any Path<Double>) -> ResultColumn {
    ResultColumn(
      name, path, as: "a number above 0", { $0.significant },
      { Double($0).flatMap { $0.isFinite && $0 > 0 ? $0 : nil } })
  }

  /// All columns, in their order.
  static let all: [ResultColumn] = [
    ResultColumn(
      "schema", \.schema, as: "'\(ResultRow.schema)'", { _ in ResultRow.schema },
      { ["3", ResultRow.schema].contains($0) ? ResultRow.schema : nil }),
    text("host_hash", \.hostHash),
    count("cores", \.cores),
    ResultColumn("harness", \.harness, as: "text", { $0 ?? "" }, { .some($0.isEmpty ? nil : $0) }),
    text("scenario", \.scenario),
    text("implementation", \.implementation),
    word("role", \.role, "'subject', 'reference' or 'other'"),
    count("threads", \.threads),
    ResultColumn(
      "registrations", \.registrations, as: "nothing or a whole number", { $0.map { String($0) } ?? "" },
      { $0.isEmpty ? .some(nil) : Int($0).flatMap { $0 >= 0 ? .some($0) : nil } }),
    count("depth", \.depth),
    optionalWord("gate", \.gate, "nothing, 'fine', 'coarse' or 'none'"),
    optionalWord("process", \.process, "nothing, 'shared' or 'own'"),
    count("launch", \.launch),
    count("samples", \.samples),
    count("disturbed", \.disturbed, from: 0),
    positive("ns_per_op", \.nanoseconds),
    number("p50_ns", \.percentile50),
    number("p90_ns", \.percentile90),
    number("p99_ns", \.percentile99),
    positive("mops_per_second", \.throughput),
    number("subject_ratio", \.ratioOfSubject),
    number("allocations_per_op", \.allocations),
    number("bytes_per_op", \.bytes),
    ResultColumn("quality", \.quality, as: "nothing or marks with '+' between", { $0.text }, { Set($0) }),
    word("status", \.status, "'ok' or 'debug'"),
  ]
}
