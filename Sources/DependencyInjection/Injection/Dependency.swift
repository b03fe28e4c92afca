/// A dependency that cannot be missing: it is declared together with what creates it.
///
/// ```swift
/// extension DIContainer {
///   static let router = Dependency<Router>(.shared) { resolve in RouterImpl(config: resolve()) }
/// }
///
/// let router = DIContainer.router()
/// @Inject(DIContainer.router) private var router
/// DIContainer.router.register { MockRouter() }  // an override, in the current container
/// ```
///
/// It is in the same registry as everything else, with a key of its own, so that overrides, snapshots, isolation and
/// listings treat it as they treat any registration. Keep it in a static property: each one that is created is another
/// dependency, and is remembered for good.
@safe
public struct Dependency<Value>: Sendable {
  @usableFromInline
  let declaration: Unmanaged<Label.Declaration>

  private init(_ draft: DefinitionDraft, _ lifetime: Lifetime) {
    unsafe declaration = Label.Declaration.make(draft, lifetime: lifetime, cell: EmptyTable.cell.address)
  }

  /// Declares a dependency whose factory resolves what it needs.
  ///
  /// - Parameters:
  ///   - lifetime: How long an instance lives.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  public init(
    _ lifetime: Lifetime = .new, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver) throws -> Value
  ) {
    self.init(New(make, file: file, line: line).draft, lifetime)
  }

  /// Declares a dependency whose factory needs nothing.
  ///
  /// - Parameters:
  ///   - lifetime: How long an instance lives.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  public init(
    _ lifetime: Lifetime = .new, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Value
  ) {
    self.init(New(make, file: file, line: line).draft, lifetime)
  }

  /// Declares a dependency whose factory is asynchronous; `resolveAsync` resolves it.
  ///
  /// - Parameters:
  ///   - lifetime: How long an instance lives.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  public init(
    _ lifetime: Lifetime = .new, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver) async throws -> Value
  ) {
    self.init(New(make, file: file, line: line).draft, lifetime)
  }

  /// Declares a dependency whose factory is asynchronous and needs nothing; `resolveAsync` resolves it.
  ///
  /// - Parameters:
  ///   - lifetime: How long an instance lives.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  public init(
    _ lifetime: Lifetime = .new, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable () async throws -> Value
  ) {
    self.init(New(make, file: file, line: line).draft, lifetime)
  }

  /// Resolves the dependency from the current container; traps only if its actor is another one, if its factory throws or
  /// is asynchronous, or in a cycle.
  ///
  /// - Parameters:
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance.
  @inlinable
  @inline(always)
  public func callAsFunction(file: StaticString = #fileID, line: UInt = #line) -> Value {
    DIContainer.resolve(self, file: file, line: line)
  }

  /// Resolves the dependency from the current container or throws, for one whose factory throws.
  ///
  /// - Parameters:
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance.
  /// - Throws: ``ResolutionError`` where ``callAsFunction(file:line:)`` would trap. What the factory threw is its
  ///   ``ResolutionError/underlyingError``.
  @inlinable
  public func tryResolve(file: StaticString = #fileID, line: UInt = #line) throws(ResolutionError) -> Value {
    try DIContainer.tryResolve(label, passing: (), file, line, from: nil)
  }

  /// Overrides the dependency in the current container with a factory that resolves what it needs.
  ///
  /// - Parameters:
  ///   - lifetime: How long an instance lives; as declared if it is nil.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  public func register(
    _ lifetime: Lifetime? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver) throws -> Value
  ) {
    override(New(make, file: file, line: line).draft, lifetime)
  }

  /// Overrides the dependency in the current container with a factory that needs nothing.
  ///
  /// - Parameters:
  ///   - lifetime: How long an instance lives; as declared if it is nil.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  public func register(
    _ lifetime: Lifetime? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable () throws -> Value
  ) {
    override(New(make, file: file, line: line).draft, lifetime)
  }

  /// Takes back what overrides the dependency in the current container.
  public func unregister() { DIContainer.current.remove(key) }

  /// What tells its key from all others.
  @inlinable
  @inline(__always)
  var label: Label { unsafe .dependency(declaration) }

  /// The registration that answers unless it is overridden.
  private var definition: Definition { unsafe declaration.takeUnretainedValue().definition }

  /// What it is found by.
  package var key: Key { Key(Value.self, label) }

  /// Where it is declared.
  package var location: SourceLocation { definition.location }

  /// The registrations that override the dependency with what others register for its type.
  package func overridden(by registrations: RegistrationList) -> RegistrationList {
    var list = RegistrationList()
    registrations.forEach { list.add(Definition($0.draft.labeled(label), lifetime: $0.lifetime)) }
    return list
  }

  private func override(_ draft: DefinitionDraft, _ lifetime: Lifetime?) {
    var list = RegistrationList()
    list.add(Definition(draft.labeled(label), lifetime: lifetime ?? definition.lifetime))
    DIContainer.current.add(list, isOverride: true)
  }
}

extension DIContainer {
  /// Resolves a declared dependency from this container.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance.
  @inlinable
  @inline(always)
  public func resolve<Value>(
    _ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line
  ) -> Value {
    resolve(dependency.label, file, line)
  }

  /// Resolves a declared dependency from the current container.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance.
  @inlinable
  @inline(always)
  public static func resolve<Value>(
    _ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line
  ) -> Value {
    resolve(dependency.label, file, line)
  }

  /// Resolves a declared dependency from this container or throws.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance.
  /// - Throws: ``ResolutionError`` if its actor is another one, if its factory throws or is asynchronous, or in a cycle.
  @inlinable
  public func tryResolve<Value>(
    _ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> Value {
    try DIContainer.tryResolve(dependency.label, passing: (), file, line, from: self)
  }
}

extension Resolver {
  /// Resolves a declared dependency; the same as ``resolve(_:file:line:)``.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance.
  @inlinable
  @inline(always)
  public func callAsFunction<Value>(
    _ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line
  ) -> Value {
    resolve(dependency, file: file, line: line)
  }

  /// Resolves a declared dependency.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance.
  @inlinable
  @inline(always)
  public func resolve<Value>(
    _ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line
  ) -> Value {
    if owner == nil { return creator.resolve(dependency, file: file, line: line) }
    return resolve { $0.resolve(dependency, file: file, line: line) }
  }
}
