public import DependencyInjection

/// Makes it a failure of the test to resolve a type, or a declared dependency.
///
/// ```swift
/// DIContainer.override { Unexpected(Analytics.self) }
/// ```
///
/// The failure is shown where the type was asked for. Who asks gets what there would be without this, so that the test
/// goes on; give it something harmless first if the real instance does harm. Registering the type again takes this away.
/// It works in every container, also where nothing is recorded.
public struct Unexpected: Registration {
  private let location: DependencyInjection.SourceLocation
  private let watch: @Sendable (inout RegistrationList, @escaping Tripwire) -> Void

  /// Creates the registration.
  ///
  /// - Parameters:
  ///   - type: The type that must not be resolved; an alias counts as itself.
  ///   - name: The name of the registration, if it has one.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  public init<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    let location = DependencyInjection.SourceLocation(file: file, line: line)
    self.location = location
    watch = { list, tripwire in list.addTripwire(on: type, named: name, at: location, tripwire) }
  }

  /// Creates the registration for a declared dependency.
  ///
  /// - Parameters:
  ///   - dependency: The dependency that must not be resolved; others of its type may be.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  public init<Value>(_ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line) {
    let location = DependencyInjection.SourceLocation(file: file, line: line)
    self.location = location
    watch = { list, tripwire in list.addTripwire(on: dependency, at: location, tripwire) }
  }

  /// Adds this to a list.
  ///
  /// - Parameter list: The list.
  public func add(to list: inout RegistrationList) {
    watch(&list) { [location] resolution in
      let resolution = DIContainer.Resolution(resolution)
      report(
        """
        '\(resolution.asked)' was asked for, which is unexpected since \(location).
          \(resolution)
        """, at: FailureLocation(resolution.location))
    }
  }
}
