public import DependencyInjection

/// The resolves that an expectation counts: those of a type, of one of its names, or of a declared dependency.
public struct ExpectedResolve: Sendable {
  /// The name in failures.
  let description: String

  private let isMeant: @Sendable (ResolutionEvent) -> Bool

  /// Returns whether a registration creates the expected type, under whichever of its types it was resolved.
  private let isAnswer: @Sendable (ResolutionEvent.Answer) -> Bool

  init(_ type: Any.Type, named name: DependencyName?) {
    description = "'\(displayName(type, name == .any ? nil : name))'"
    isMeant = { $0.type == type && (name == .any || $0.name == name && !$0.isOfDependency) }
    isAnswer = { $0.keys.contains { name == .any ? $0.type == type : $0.key == Key(type, named: name) } }
  }

  init<Value, each Argument>(_ dependency: Dependency<Value, repeat each Argument>) {
    description = "'\(displayName(Value.self))' (declared at \(dependency.location))"
    isMeant = { [key = dependency.key] in $0.key == key }
    isAnswer = { [key = dependency.key] answer in answer.keys.contains { $0.key == key } }
  }

  /// Returns the resolves of a type.
  ///
  /// - Parameters:
  ///   - type: The type; an alias counts as itself.
  ///   - name: The name; nil counts resolves without a name, and the default counts all of the type.
  /// - Returns: The resolves.
  public static func of<Value>(_ type: Value.Type, named name: DependencyName? = .any) -> Self {
    Self(type, named: name)
  }

  /// Returns the resolves of a declared dependency.
  ///
  /// - Parameter dependency: The dependency; others of its type do not count.
  /// - Returns: The resolves.
  public static func of<Value, each Argument>(_ dependency: Dependency<Value, repeat each Argument>) -> Self {
    Self(dependency)
  }

  /// Returns whether a resolution counts.
  func includes(_ resolution: ResolutionEvent) -> Bool { isMeant(resolution) }

  /// Returns whether a resolution has created an instance that counts.
  func isCreated(by resolution: ResolutionEvent) -> Bool { resolution.isCreated && isAnswered(by: resolution) }

  /// Returns whether the instance that a resolution returned counts.
  func isAnswered(by resolution: ResolutionEvent) -> Bool {
    resolution.answer.map(isAnswer) ?? false
  }
}

extension DependencyName {
  /// Any name, or none, in functions that count resolves.
  ///
  /// Do not register anything with this name.
  public static let any: Self = "any name, or none"
}
