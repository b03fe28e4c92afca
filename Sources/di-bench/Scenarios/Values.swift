// The structs that are resolved: one that is only bits, and one that holds references.

/// A value without references.
struct Settings: Equatable, Sendable {
  let width: Int
  let height: Int

  /// The one that everybody gets; its contents are not known before the process runs.
  static func make() -> Settings {
    Settings(width: CommandLine.arguments.count, height: 7)
  }
}

/// A value with references.
struct Session: Sendable {
  /// What the value refers to.
  final class Part: Sendable {
    private let launchArguments = CommandLine.arguments.count
  }

  let user = Part()
  let cache = Part()
  let id: Int
  let start: Int
  let end: Int

  /// The one that everybody gets; its contents are not known before the process runs.
  static func make() -> Session {
    let count = CommandLine.arguments.count
    return Session(id: count, start: count + 1, end: count + 2)
  }

  /// Whether it is another one, or not whole.
  func differs(from other: Session) -> Bool {
    user !== other.user || cache !== other.cache || id != other.id || end != other.end
  }
}
