public import DependencyInjection

/// The resolutions that an expectation counts: those of a type, of one of its names, or of a declared dependency.
struct ExpectedResolutions: Sendable {
  /// The name in failures.
  let description: String

  let type: Any.Type

  let isOfDependency: Bool

  let key: Key
  let name: DependencyName?

  init(_ type: Any.Type, named name: DependencyName?) {
    (key, self.name) = (Key(type, named: name == .any ? nil : name), name)
    self.type = type
    isOfDependency = false
    description = "'\(displayName(type, name == .any ? nil : name))'"
  }

  init<Value, each Argument>(_ dependency: Dependency<Value, repeat each Argument>) {
    (key, name) = (dependency.key, nil)
    type = Value.self
    isOfDependency = true
    description = "'\(displayName(Value.self))' (declared at \(dependency.location))"
  }

  /// Returns whether a resolution counts.
  func includes(_ resolution: ResolutionEvent) -> Bool {
    if isOfDependency { return resolution.key == key }
    return resolution.type == type && (name == .any || resolution.name == name && !resolution.isOfDependency)
  }

  /// Returns whether a resolution has created an instance that counts.
  func isCreated(by resolution: ResolutionEvent) -> Bool { resolution.isCreated && isAnswered(by: resolution) }

  /// Returns whether the instance that a resolution returned counts, under whichever of its types it was resolved.
  func isAnswered(by resolution: ResolutionEvent) -> Bool {
    resolution.answer?.keys.contains { name == .any ? $0.type == type : $0.key == key } ?? false
  }
}

extension DependencyName {
  /// Any name, or none, in functions that count resolutions.
  ///
  /// Do not register anything with this name.
  public static let any: Self = "any name, or none"
}
