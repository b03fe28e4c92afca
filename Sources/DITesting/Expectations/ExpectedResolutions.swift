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

  private let isFound: @Sendable (DIContainer) -> Bool

  init(_ type: Any.Type, named name: DependencyName?) {
    isFound = { container in
      // Under any name, it may be a declared dependency, which is registered when it is first resolved.
      if name == .any || name == nil || container.registry.visibleDefinition(of: Key(type, named: name)) != nil {
        return true
      }
      // What has other names may be meant, and what has none may be absent on purpose.
      return !container.registry.visibleDefinitions(of: type).contains { $0.key != Key(type, named: nil) }
    }
    self.type = type
    isOfDependency = false
    description = "'\(displayName(type, name == .any ? nil : name))'"
    isMeant = { $0.type == type && (name == .any || $0.name == name && !$0.isOfDependency) }
    isAnswer = { $0.keys.contains { name == .any ? $0.type == type : $0.key == Key(type, named: name) } }
  }

  init<Value, each Argument>(_ dependency: Dependency<Value, repeat each Argument>) {
    isFound = { _ in true }
    type = Value.self
    isOfDependency = true
    description = "'\(displayName(Value.self))' (declared at \(dependency.location))"
    isMeant = { [key = dependency.key] in $0.key == key }
    isAnswer = { [key = dependency.key] answer in answer.keys.contains { $0.key == key } }
  }

  /// Returns whether a container can resolve what is expected.
  func isRegistered(in container: DIContainer) -> Bool { isFound(container) }

  /// Returns the warning about a type that only something above it is registered for.
  ///
  /// - Parameters:
  ///   - other: A resolution of what is above it.
  ///   - line: A line to insert.
  /// - Returns: The text.
  func message(onlyRegisteredAs other: ResolutionEvent, _ line: String? = nil) -> String {
    ([
      "Nothing is registered for \(description), but '\(other.asked)' was resolved.", line.map { "  \($0)" },
      "  resolved   \(other.pathAndPlace)", "  note       name the type that the code asks for",
    ] as [String?]).compactMap(\.self).joined(separator: "\n")
  }

  /// Returns whether the expected type is a subclass of another type, or conforms to that protocol.
  func isSubtype(of other: Any.Type) -> Bool {
    func isSubclass<Class>(of _: Class.Type) -> Bool { type is Class.Type }
    if other is AnyClass { return type != other && _openExistential(other, do: isSubclass) }
    // The suffix makes the metatype of all conforming types out of a protocol; of a local one, there is none.
    guard let name = _mangledTypeName(other), let conforming = _typeByName(name + "Xp") else { return false }
    func isInstance<Metatype>(of _: Metatype.Type) -> Bool { type is Metatype }
    return _openExistential(conforming, do: isInstance)
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
