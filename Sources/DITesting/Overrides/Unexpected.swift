public import DependencyInjection

/// Makes it a failure of the test to resolve a type, or a declared dependency.
///
/// ```swift
/// DIContainer.override { Unexpected(Analytics.self) }
/// ```
///
/// The failure is shown where the type was asked for. Who asks gets what there would be without this, so that the test
/// goes on; register something harmless beside it if the real instance does harm. Registering the type again later takes
/// this away. It works in every container, also where nothing is recorded.
public struct Unexpected: Registration {
  private let location: DependencyInjection.SourceLocation
  private let types: [Any.Type]
  private let keys: [Key]

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
    location = DependencyInjection.SourceLocation(file: file, line: line)
    types = [type]
    // `resolveAll` of a type asks for it, too.
    keys = [Key(type, named: name)] + (name == nil ? [.names(of: type)] : [])
  }

  /// Creates the registration for a declared dependency.
  ///
  /// - Parameters:
  ///   - dependency: The dependency that must not be resolved; others of its type may be.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  public init<Value>(_ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line) {
    location = DependencyInjection.SourceLocation(file: file, line: line)
    types = [Value.self]
    keys = [dependency.key]
  }

  /// Adds this to a list.
  ///
  /// - Parameter list: The list.
  public func add(to list: inout RegistrationList) {
    list.addAction { [keys, types, location] container in
      if container === DIContainer.shared { OverrideLeaks.report(types, at: location) }
      // Those that exist would keep their dependencies to themselves.
      container.dropDependents(of: keys[0])
      container.addObserver(UnexpectedResolves(of: keys, from: container, since: location))
    }
  }
}

/// Reports each resolve of a key, unless something else is registered for it than when this was made.
final class UnexpectedResolves: ResolutionObserver {
  private let keys: [Key]
  private let definition: Definition?
  private let location: DependencyInjection.SourceLocation

  init(of keys: [Key], from container: DIContainer, since location: DependencyInjection.SourceLocation) {
    self.keys = keys
    definition = container.visibleDefinition(of: keys[0])
    self.location = location
  }

  func didResolve(_ event: ResolutionEvent) {
    guard keys.contains(event.key) else { return }
    // What `registerDependencies` registers may have come later.
    guard event.record?.definition === definition || event.record?.isDefault == true else { return }
    let resolution = DIContainer.Resolution(event)
    report(
      """
      '\(resolution.asked)' was asked for, which is unexpected since \(location).
        \(resolution)
      """, at: FailureLocation(resolution.location))
  }

  func didNotResolve(_ event: ResolutionEvent) { didResolve(event) }
}

extension DIContainer {
  /// The observers of resolves that are unexpected here.
  var unexpectedResolves: [UnexpectedResolves] { observers.compactMap { $0 as? UnexpectedResolves } }
}
