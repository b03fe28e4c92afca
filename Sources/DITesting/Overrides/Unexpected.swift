public import DependencyInjection

/// Fails the test when something resolves a type or a declared dependency.
///
/// ```swift
/// DIContainer.override {
///   Unexpected(Analytics.self)
///   Unexpected(Payment.self) { MockPayment() }
/// }
/// ```
///
/// The failure is shown at this line, and its text names the place of the resolution. The resolution returns the stub, or else
/// the instance that it would return anyway, so that the test goes on. Add a stub where there is no instance, or where the
/// real one does harm. Instances that depend on the type are created anew, so that they resolve it again. To expect the
/// type again, register it in the same container, or call `unregister`. It works in every container, even where nothing is
/// recorded.
public struct Unexpected: Registration {
  private let types: [Any.Type]
  private let keys: [Key]
  private let location: FailureLocation
  private let isOfDependency: Bool
  private let stub: RegistrationList

  private init(
    _ keys: [Key], of type: Any.Type, _ location: FailureLocation, stub: RegistrationList = RegistrationList(),
    isOfDependency: Bool = false
  ) {
    (self.keys, types, self.location, self.stub) = (keys, [type], location, stub)
    self.isOfDependency = isOfDependency
  }

  /// Creates the registration.
  ///
  /// - Parameters:
  ///   - type: The type that must not be resolved; an alias counts as itself.
  ///   - name: The name of the registration, if it has one.
  ///   - file: The file of the registration, for messages.
  ///   - filePath: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  public init<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, sourceLocation: TestLocation? = nil
  ) {
    self.init(Self.keys(type, name), of: type, FailureLocation(file, filePath, line, 1, sourceLocation))
  }

  /// Creates the registration with a stub, which resolutions return.
  ///
  /// - Parameters:
  ///   - type: The type that must not be resolved; an alias counts as itself.
  ///   - name: The name of the registration, if it has one.
  ///   - file: The file of the registration, for messages.
  ///   - filePath: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  ///   - stub: Creates the stub, which answers any arguments.
  public init<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, sourceLocation: TestLocation? = nil,
    _ stub: @escaping @Sendable () -> Value
  ) {
    let location = FailureLocation(file, filePath, line, 1, sourceLocation)
    var list = RegistrationList()
    list.add(Shared(ignoringArguments: stub, named: name, file: location.code.file, line: location.code.line))
    self.init(Self.keys(type, name), of: type, location, stub: list)
  }

  /// Creates the registration for a declared dependency.
  ///
  /// - Parameters:
  ///   - dependency: The dependency that must not be resolved; others of its type may be.
  ///   - file: The file of the registration, for messages.
  ///   - filePath: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  public init<Value, each Argument>(
    _ dependency: Dependency<Value, repeat each Argument>, file: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, sourceLocation: TestLocation? = nil
  ) {
    self.init(
      [dependency.key], of: Value.self, FailureLocation(file, filePath, line, 1, sourceLocation), isOfDependency: true)
  }

  /// Creates the registration for a declared dependency, with a stub, which resolutions return.
  ///
  /// - Parameters:
  ///   - dependency: The dependency that must not be resolved; others of its type may be.
  ///   - file: The file of the registration, for messages.
  ///   - filePath: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  ///   - stub: Creates the stub, which answers any arguments.
  public init<Value, each Argument>(
    _ dependency: Dependency<Value, repeat each Argument>, file: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, sourceLocation: TestLocation? = nil,
    _ stub: @escaping @Sendable () -> Value
  ) {
    let location = FailureLocation(file, filePath, line, 1, sourceLocation)
    var list = RegistrationList()
    list.add(Shared(ignoringArguments: stub, file: location.code.file, line: location.code.line))
    self.init([dependency.key], of: Value.self, location, stub: dependency.overridden(by: list), isOfDependency: true)
  }

  // `resolveAll` resolves the type, too.
  private static func keys(_ type: Any.Type, _ name: DependencyName?) -> [Key] {
    [Key(type, named: name)] + (name == nil ? [.names(of: type)] : [])
  }

  /// Adds this to a list.
  ///
  /// - Parameter list: The list.
  public func add(to list: inout RegistrationList) {
    list.addAction { [self] container in
      if container == DIContainer.shared {
        SharedContainer.willOverride(types, at: location.code)
      }
      // `expectOverridesResolved` must not expect a stub to be resolved.
      stub.forEach { definition in
        var override = ResolutionRecorder.Override(definition, in: container)
        override.isResolved = true
        container.recorder?.note(override)
      }
      container.override(by: stub)
      if !isOfDependency {
        container.recorder?.note(
          ResolutionRecorder.Unexpected(
            expected: ExpectedResolutions(types[0], named: .any), location: location,
            isRegistered: !container.registry.visibleDefinitions(of: types[0]).isEmpty))
      }
      let unexpected = UnexpectedResolutions(of: keys, location, at: container.registry.level)
      container.replaceUnexpectedResolutions(
        with: container.ownUnexpectedResolutions.filter { $0.keys != keys } + [unexpected])
      // Instances that exist would not resolve their dependencies again.
      container.dropInstances()
    }
  }
}
