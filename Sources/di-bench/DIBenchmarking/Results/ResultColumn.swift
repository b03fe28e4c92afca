/// A column of a results file, with functions that write and read it.
struct ResultColumn: Sendable {
  let name: String
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
      name, path, as: "a whole number, \(least) or more", { "\($0)" }, { Int($0).flatMap { $0 >= least ? $0 : nil } })
  }

  private static func optional<Value: Sendable>(
    _ name: String, _ path: any Path<Value?>, as expectation: String, _ write: @escaping @Sendable (Value) -> String,
    _ read: @escaping @Sendable (String) -> Value?
  ) -> ResultColumn {
    ResultColumn(
      name, path, as: expectation, { $0.map(write) ?? "" },
      { field in field.isEmpty ? .some(nil) : read(field).map { .some($0) } })
  }

  private static func number(_ name: String, _ path: any Path<Double?>, isPositive: Bool = false) -> ResultColumn {
    optional(name, path, as: isPositive ? "nothing or a number above 0" : "nothing or a number", \.significant) {
      Double($0).flatMap { $0.isFinite && ($0 > 0 || !isPositive) ? $0 : nil }
    }
  }

  private static func positive(_ name: String, _ path: any Path<Double>) -> ResultColumn {
    ResultColumn(
      name, path, as: "a number above 0", \.significant, { Double($0).flatMap { $0.isFinite && $0 > 0 ? $0 : nil } })
  }

  static let all: [ResultColumn] = [
    ResultColumn(
      "schema", \.schema, as: "'\(ResultRow.schema)'", { _ in ResultRow.schema },
      { ["3", ResultRow.schema].contains($0) ? ResultRow.schema : nil }),
    text("host_hash", \.hostHash),
    count("cores", \.cores),
    optional("harness", \.harness, as: "text", \.self, \.self),
    text("scenario", \.scenario),
    text("implementation", \.implementation),
    ResultColumn("role", \.role, as: "'subject', 'reference' or 'other'", \.rawValue, { .init(rawValue: $0) }),
    count("threads", \.threads),
    optional("registrations", \.registrations, as: "nothing or a whole number", { "\($0)" }) {
      Int($0).flatMap { $0 >= 0 ? $0 : nil }
    },
    count("depth", \.depth),
    optional("gate", \.gate, as: "nothing, 'fine', 'coarse' or 'none'", \.rawValue) { .init(rawValue: $0) },
    optional("process", \.process, as: "nothing, 'shared' or 'own'", \.rawValue) { .init(rawValue: $0) },
    count("launch", \.launch),
    count("samples", \.samples),
    count("disturbed", \.disturbed, from: 0),
    positive("ns_per_op", \.nanoseconds),
    number("p50_ns", \.percentile50),
    number("p90_ns", \.percentile90),
    number("p99_ns", \.percentile99),
    positive("mops_per_second", \.throughput),
    number("subject_ratio", \.ratioOfSubject, isPositive: true),
    number("allocations_per_op", \.allocations),
    number("bytes_per_op", \.bytes),
    ResultColumn("quality", \.quality, as: "nothing or marks separated by '+'", { $0.text }, { Set($0) }),
    ResultColumn("status", \.status, as: "'ok' or 'debug'", \.rawValue, { .init(rawValue: $0) }),
  ]
}
