public import DependencyInjection

/// The resolutions that an expectation counts: those of a type, of one of its names, or of a declared dependency.
struct ExpectedResolutions: Sendable {
  /// The name in failures.
  let description: String

  /// The type that a request looks for, which is never an optional.
  let type: Any.Type

  /// The stated type, which a declared dependency may have even if it is an optional.
  private let statedType: Any.Type

  /// The location of the declared dependency; nil for a type.
  let declarationLocation: CodeLocation?

  let key: Key
  let name: DependencyName?

  init(_ type: Any.Type, named name: DependencyName?) {
    (self.type, statedType, self.name) = (wrappedType(of: type), type, name)
    key = Key(self.type, named: name == .any ? nil : name)
    declarationLocation = nil
    description = "'\(displayName(self.type, name == .any ? nil : name))'"
  }

  init<Value, each Argument>(_ dependency: Dependency<Value, repeat each Argument>) {
    (key, name) = (dependency.key, nil)
    (type, statedType) = (Value.self, Value.self)
    declarationLocation = dependency.location
    description = "'\(displayName(Value.self))' (declared at \(dependency.location))"
  }

  private func matches(_ other: Any.Type) -> Bool { other == type || other == statedType }

  /// Returns whether a resolution counts.
  func includes(_ resolution: ResolutionEvent) -> Bool {
    if declarationLocation != nil { return resolution.key == key }
    return matches(resolution.type) && (name == .any || resolution.name == name && !resolution.isOfDependency)
  }

  /// Returns whether a resolution created an instance that counts.
  func isCreated(by resolution: ResolutionEvent) -> Bool { resolution.isCreated && isAnswered(by: resolution) }

  /// Returns whether the instance that a resolution returned counts, under whichever of its types it was resolved.
  func isAnswered(by resolution: ResolutionEvent) -> Bool {
    resolution.answer?.keys.contains { name == .any ? matches($0.type) : $0.key == key } ?? false
  }
}

extension DependencyName {
  /// Any name, or none, in functions that count resolutions.
  ///
  /// Do not register anything with this name.
  public static let any: Self = "any name, or none"
}
