public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

extension DIContainer {
  /// Makes all later resolutions of a type return a value that the test keeps using.
  ///
  /// ```swift
  /// let router = MockRouter()
  /// DIContainer.override(Router.self, with: router)
  /// ```
  ///
  /// The override drops all instances of the test's container. So a `Shared` view model that was built with the real
  /// router is built again with the mock when it is next resolved. An instance that other code holds stays as it is.
  ///
  /// The override lasts until the isolation of the test ends. Without isolation, it changes the shared container, which
  /// causes a warning, unless a snapshot is restored.
  ///
  /// - Parameters:
  ///   - type: The type to override; other aliases of the same registration stay as they are.
  ///   - name: The name of the registration, if it has one.
  ///   - value: The value to return. It need not be `Sendable`: the test knows which code uses it.
  ///   - file: The file of the override.
  ///   - filePath: The file of the override.
  ///   - line: The line of the override.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  public func override<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, with value: Value, file: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, sourceLocation: TestLocation? = nil
  ) {
    override(with: value, FailureLocation(file, filePath, line, 1, sourceLocation)) { make, location in
      Module(Shared(ignoringArguments: make, named: name, file: location.file, line: location.line))
    }
  }

  /// Makes all later resolutions of a declared dependency return a value that the test keeps using.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - value: The value to return. It need not be `Sendable`: the test knows which code uses it.
  ///   - file: The file of the override.
  ///   - filePath: The file of the override.
  ///   - line: The line of the override.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  public func override<Value, each Argument>(
    _ dependency: Dependency<Value, repeat each Argument>, with value: Value, file: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, sourceLocation: TestLocation? = nil
  ) {
    override(with: value, FailureLocation(file, filePath, line, 1, sourceLocation)) { make, location in
      dependency.overridden(
        by: New(ignoringArguments: make, file: location.file, line: location.line).definition, .shared)
    }
  }

  private func override<Value>(
    with value: Value, _ location: FailureLocation,
    _ makeList: (_ make: @escaping @Sendable () -> Value, _ location: CodeLocation) -> RegistrationList
  ) {
    recorder?.test.note(location)
    let value = OverridingValue(value, location.code, in: registry.copiedLineage.last ?? registry)
    let list = makeList({ value.get() }, location.code)
    list.forEach { value.registration = ObjectIdentifier($0) }
    // Even if the calling code belongs to another test: this one releases what the container keeps.
    owner?.note(value)
    override { list }
  }

  /// Overrides registrations for everything that is resolved afterward, even through existing instances.
  ///
  /// - Parameter registrations: The overriding registrations.
  public func override(@RegistrationBuilder _ registrations: () -> RegistrationList) {
    let registrations = registrations()
    if let recorder {
      registrations.forEach { if !$0.isDecoration { recorder.note(ResolutionRecorder.Override($0, in: self)) } }
    } else if self == DIContainer.shared {
      registrations.forEach { SharedContainer.willOverride($0.types, at: $0.location) }
    }
    for case let observer as LiveResolutions in observers { observer.allow(registrations) }
    addOverrides(registrations)
    dropInstances()
  }

  /// Makes all later resolutions of a type from the current container return a value that the test keeps using.
  ///
  /// - Parameters:
  ///   - type: The type to override; other aliases of the same registration stay as they are.
  ///   - name: The name of the registration, if it has one.
  ///   - value: The value to return. It need not be `Sendable`: the test knows which code uses it.
  ///   - file: The file of the override.
  ///   - filePath: The file of the override.
  ///   - line: The line of the override.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  public static func override<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, with value: Value, file: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, sourceLocation: TestLocation? = nil
  ) {
    current.override(
      type, named: name, with: value, file: file, filePath: filePath, line: line, sourceLocation: sourceLocation)
  }

  /// Makes all later resolutions of a declared dependency from the current container return a value that the test
  /// keeps using.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - value: The value to return. It need not be `Sendable`: the test knows which code uses it.
  ///   - file: The file of the override.
  ///   - filePath: The file of the override.
  ///   - line: The line of the override.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  public static func override<Value, each Argument>(
    _ dependency: Dependency<Value, repeat each Argument>, with value: Value, file: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, sourceLocation: TestLocation? = nil
  ) {
    current.override(
      dependency, with: value, file: file, filePath: filePath, line: line, sourceLocation: sourceLocation)
  }

  /// Overrides registrations of the current container for everything that is resolved afterward, even through existing
  /// instances.
  ///
  /// - Parameter registrations: The overriding registrations.
  public static func override(@RegistrationBuilder _ registrations: () -> RegistrationList) {
    current.override(registrations)
  }
}

@available(
  *, unavailable,
  message:
    "label the mock: override(Router.self, with: MockRouter()); for a factory, write override { New { … as Router } }"
)
extension DIContainer {
  /// Reports an override whose mock has no label.
  @_disfavoredOverload
  public func override<Subject, Mock>(_ subject: Subject, named name: DependencyName? = nil, _ mock: Mock) {}

  /// Reports an override whose factory is not in a registration.
  @_disfavoredOverload
  public func override<Subject, Mock>(
    _ subject: Subject, named name: DependencyName? = nil, _ make: (Resolver) async throws -> Mock
  ) {}

  /// Reports an override whose mock has no label.
  @_disfavoredOverload
  public static func override<Subject, Mock>(_ subject: Subject, named name: DependencyName? = nil, _ mock: Mock) {}

  /// Reports an override whose factory is not in a registration.
  @_disfavoredOverload
  public static func override<Subject, Mock>(
    _ subject: Subject, named name: DependencyName? = nil, _ make: (Resolver) async throws -> Mock
  ) {}
}

@available(
  *, unavailable,
  message:
    "label the mock: override(DIContainer.router, with: router); for a factory, write override { DIContainer.router.overridden { … } }"
)
extension DIContainer {
  /// Reports an override of a declared dependency whose mock has no label.
  @_disfavoredOverload
  public func override<Value, each Argument, Mock>(_ dependency: Dependency<Value, repeat each Argument>, _ mock: Mock)
  {}

  /// Reports an override of a declared dependency whose factory is not in a registration.
  @_disfavoredOverload
  public func override<Value, each Argument, Mock>(
    _ dependency: Dependency<Value, repeat each Argument>, _ make: (Resolver) async throws -> Mock
  ) {}

  /// Reports an override of a declared dependency whose mock has no label.
  @_disfavoredOverload
  public static func override<Value, each Argument, Mock>(
    _ dependency: Dependency<Value, repeat each Argument>, _ mock: Mock
  ) {}

  /// Reports an override of a declared dependency whose factory is not in a registration.
  @_disfavoredOverload
  public static func override<Value, each Argument, Mock>(
    _ dependency: Dependency<Value, repeat each Argument>, _ make: (Resolver) async throws -> Mock
  ) {}
}
