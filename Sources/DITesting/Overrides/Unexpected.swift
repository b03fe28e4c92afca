public import DependencyInjection

/// Makes it a failure of the test to resolve a type, or a declared dependency.
///
/// ```swift
/// DIContainer.override { Unexpected(Analytics.self) }
/// ```
///
/// The failure is shown where the type was asked for. Who asks gets what there would be without this, so that the test
/// goes on; register something harmless beside it if the real instance does harm. Instances that depend on the type are
/// created anew, so that they ask for it. Registering the type again in the same container, or `unregister`, takes this
/// away. It works in every container, also where nothing is recorded.
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
      let unexpected = UnexpectedResolves(of: keys, since: location, at: container.level)
      container.replaceUnexpectedResolves(
        with: container.ownUnexpectedResolves.filter { $0.keys != keys } + [unexpected])
      // Those that exist would keep their dependencies to themselves.
      container.dropDependents(of: keys[0])
    }
  }
}

/// Reports each resolve of a key, until something else is registered for it.
final class UnexpectedResolves: ResolutionObserver {
  fileprivate let keys: [Key]
  private let location: DependencyInjection.SourceLocation

  /// How far below the root the observed container is.
  fileprivate let level: Int

  init(of keys: [Key], since location: DependencyInjection.SourceLocation, at level: Int) {
    self.keys = keys
    self.location = location
    self.level = level
  }

  /// Returns an observer of another container that reports the same.
  func copy(for container: DIContainer) -> UnexpectedResolves {
    UnexpectedResolves(of: keys, since: location, at: container.level)
  }

  func didResolve(_ resolution: ResolutionEvent) {
    // What a descendant has registered itself is expected.
    guard keys.contains(resolution.key), resolution.level ?? 0 <= level else { return }
    report(
      """
      '\(resolution.asked)' was asked for, which is unexpected since \(location).
        \(resolution.pathAndPlace)
      """, at: FailureLocation(resolution.location))
  }

  func didNotResolve(_ event: ResolutionEvent) { didResolve(event) }

  func didChange(_ changed: Set<Key>, in container: DIContainer) {
    if changed.contains(keys[0]) { container.removeObserver(self) }
  }
}

extension DIContainer {
  /// The observers of resolves that are unexpected here or in an ancestor.
  var unexpectedResolves: [UnexpectedResolves] { observers.compactMap { $0 as? UnexpectedResolves } }

  /// The observers of resolves that are unexpected in this container.
  var ownUnexpectedResolves: [UnexpectedResolves] { ownObservers.compactMap { $0 as? UnexpectedResolves } }

  /// Observes just these unexpected resolves in this container.
  func replaceUnexpectedResolves(with wanted: [UnexpectedResolves]) {
    let present = ownUnexpectedResolves
    let wanted = wanted.map { $0.level == level ? $0 : $0.copy(for: self) }
    for observer in present where !wanted.contains(where: { $0 === observer }) { removeObserver(observer) }
    for observer in wanted where !present.contains(where: { $0 === observer }) { addObserver(observer) }
  }
}
