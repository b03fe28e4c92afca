public import DependencyInjection

/// The resolutions that an expectation counts: those of a type, of one of its names, or of a declared dependency.
struct ExpectedResolutions: Sendable {
  /// The name in failures.
  let description: String

  let type: Any.Type

  let isOfDependency: Bool

  private let isMeant: @Sendable (ResolutionEvent) -> Bool

  /// Returns whether a registration creates the expected type, under whichever of its types it was resolved.
  private let isAnswer: @Sendable (ResolutionEvent.Answer) -> Bool

  let key: Key
  let name: DependencyName?

  init(_ type: Any.Type, named name: DependencyName?) {
    (key, self.name) = (Key(type, named: name == .any ? nil : name), name)
    self.type = type
    isOfDependency = false
    description = "'\(displayName(type, name == .any ? nil : name))'"
    isMeant = { $0.type == type && (name == .any || $0.name == name && !$0.isOfDependency) }
    isAnswer = { $0.keys.contains { name == .any ? $0.type == type : $0.key == Key(type, named: name) } }
  }

  init<Value, each Argument>(_ dependency: Dependency<Value, repeat each Argument>) {
    (key, name) = (dependency.key, nil)
    type = Value.self
    isOfDependency = true
    description = "'\(displayName(Value.self))' (declared at \(dependency.location))"
    isMeant = { [key = dependency.key] in $0.key == key }
    isAnswer = { [key = dependency.key] answer in answer.keys.contains { $0.key == key } }
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
  /// Any name, or none, in functions that count resolutions.
  ///
  /// Do not register anything with this name.
  public static let any: Self = "any name, or none"
}
