public import DependencyInjection

/// The resolves that an expectation is about: those of a type, of one of its names, or of a declared dependency.
public struct ExpectedResolve: Sendable {
  /// What failures call it.
  let description: String

  private let isMeant: @Sendable (ResolutionEvent) -> Bool

  /// Returns whether a registration creates what is meant, under whichever of its types it was asked for.
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

  /// The resolves of a type.
  ///
  /// - Parameters:
  ///   - type: The type; an alias counts as itself.
  ///   - name: The name to count; nil for those without one.
  /// - Returns: The resolves.
  public static func of<Value>(_ type: Value.Type, named name: DependencyName? = .any) -> Self {
    Self(type, named: name)
  }

  /// The resolves of a declared dependency.
  ///
  /// - Parameter dependency: The dependency; others of its type do not count.
  /// - Returns: The resolves.
  public static func of<Value, each Argument>(_ dependency: Dependency<Value, repeat each Argument>) -> Self {
    Self(dependency)
  }

  /// Returns whether a resolve is meant.
  func includes(_ resolution: ResolutionEvent) -> Bool { isMeant(resolution) }

  /// Returns whether a resolve has created what is meant.
  func isCreated(by resolution: ResolutionEvent) -> Bool { resolution.isCreated && isAnswered(by: resolution) }

  /// Returns whether what a resolve has got is an instance of what is meant.
  func isAnswered(by resolution: ResolutionEvent) -> Bool {
    resolution.answer.map(isAnswer) ?? false
  }
}

extension DependencyName {
  /// Every name and none, in what counts resolves: all that are of a type count.
  ///
  /// No registration has this name.
  public static let any: Self = "any name, or none"
}
