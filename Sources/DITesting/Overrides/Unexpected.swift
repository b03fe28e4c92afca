public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

/// Fails the test when something resolves a type or a declared dependency.
///
/// ```swift
/// DIContainer.override {
///   Unexpected(Analytics.self)
///   Unexpected(Payment.self) { MockPayment() }
/// }
/// ```
///
/// The failure is shown at this line, and its text names the path and the location of the resolution. The resolution
/// returns the stub or, without a stub, the instance that it would return anyway, so that the test continues. Add a stub
/// where there is no instance, or where the real instance does harm. Instances that depend on the type are created
/// anew, so that they resolve it again, except for those that a child container has. A declared dependency of the type
/// stays allowed, because it is a separate registration. To allow the type again, register it in the same container
/// afterward, or call `unregister`. A registration in the same list, whether before or after this one, does not allow
/// it. An `Unexpected` works in every container, even where nothing is recorded.
public struct Unexpected: Registration {
  private let resolutions: ExpectedResolutions
  private let location: FailureLocation
  private let stub: RegistrationList

  /// Creates the registration, with or without a stub for resolutions to return.
  ///
  /// - Parameters:
  ///   - type: The type that must not be resolved; an alias counts as itself.
  ///   - name: The name of the registration, if it has one.
  ///   - file: The file of the registration.
  ///   - filePath: The file of the registration.
  ///   - line: The line of the registration.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  ///   - stub: Creates the stub, which answers any arguments; nil for none.
  public init<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, sourceLocation: TestLocation? = nil,
    _ stub: (@Sendable () -> Value)? = nil
  ) {
    resolutions = ExpectedResolutions(type, named: name)
    location = FailureLocation(file, filePath, line, 1, sourceLocation)
    let code = location.code
    self.stub = Module {
      if let stub { Shared(ignoringArguments: stub, named: name, file: code.file, line: code.line) }
    }
  }

  /// Creates the registration for a declared dependency, with or without a stub for resolutions to return.
  ///
  /// - Parameters:
  ///   - dependency: The dependency that must not be resolved; other dependencies of its type may be.
  ///   - file: The file of the registration.
  ///   - filePath: The file of the registration.
  ///   - line: The line of the registration.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  ///   - stub: Creates the stub, which answers any arguments; nil for none.
  public init<Value, each Argument>(
    _ dependency: Dependency<Value, repeat each Argument>, file: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, sourceLocation: TestLocation? = nil,
    _ stub: (@Sendable () -> Value)? = nil
  ) {
    resolutions = ExpectedResolutions(dependency)
    location = FailureLocation(file, filePath, line, 1, sourceLocation)
    let code = location.code
    self.stub = Module {
      if let stub {
        dependency.overridden(
          by: New(ignoringArguments: stub, file: code.file, line: code.line).definition, .shared)
      }
    }
  }

  /// Adds this to a list.
  ///
  /// - Parameter list: The list.
  public func add(to list: inout RegistrationList) {
    list.addAction { [self] container in
      let (type, key, name) = (resolutions.type, resolutions.key, resolutions.name)
      if container == DIContainer.shared {
        SharedContainer.willOverride([type], at: location.code)
      }
      // `expectOverridesResolved` must not expect a stub to be resolved.
      stub.forEach { definition in
        var override = ResolutionRecorder.Override(definition, in: container)
        override.isResolved = true
        container.recorder?.note(override)
      }
      container.addOverrides(stub)
      container.recorder?.note(
        Statement(
          verb: .unexpected, keys: [(key, type)], name: name, declarationLocation: resolutions.declarationLocation,
          isFound: container.registry.visibleDefinition(of: key) != nil, location: location.code))
      // `resolveAll` resolves the type, too.
      let keys = [key] + (name == nil && resolutions.declarationLocation == nil ? [.names(of: type)] : [])
      let unexpected = UnexpectedResolutions(of: keys, location, in: container)
      container.addObserver(unexpected)
      // Only earlier ones: if several threads do this, the last one removes the observers of the others.
      let all = container.ownUnexpectedResolutions
      let earlier = all.prefix(upTo: all.firstIndex { $0 === unexpected } ?? 0)
      for other in earlier where other.keys == keys { container.removeObserver(other) }
      // Existing instances would not resolve their dependencies again.
      container.dropInstances()
    }
  }
}
