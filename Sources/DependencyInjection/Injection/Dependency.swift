/// A dependency that cannot be missing: it is declared together with what creates it.
///
/// ```swift
/// extension DIContainer {
///   static let router = Dependency<Router>(.shared) { resolve in RouterImpl(config: resolve()) }
///   static let item = Dependency { (resolve: Resolver, id: String) in Document(id: id) }
/// }
///
/// let router = DIContainer.router()
/// let item = DIContainer.item("42")  // the compiler checks the arguments
/// @Inject(DIContainer.router) private var router
/// DIContainer.router.register { MockRouter() }  // an override, in the current container
/// ```
///
/// It is in the same registry as everything else, with a key of its own, so that overrides, snapshots, isolation and
/// listings treat it as they treat any registration. Keep it in a static property: each one that is created is another
/// dependency, and is remembered for good.
@safe
public struct Dependency<Value, each Argument>: Sendable {
  @usableFromInline
  let declaration: Unmanaged<Label.Declaration>

  @usableFromInline
  init(_ draft: DefinitionDraft, _ lifetime: Lifetime) {
    unsafe declaration = Label.Declaration.make(draft, lifetime: lifetime, cell: EmptyTable.cell.address)
  }

  /// Declares a dependency with a factory that resolves what it needs, and takes the arguments that a call passes.
  ///
  /// - Parameters:
  ///   - lifetime: The time that an instance lives.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  @inlinable
  public init(
    _ lifetime: Lifetime = .new, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value
  ) {
    self.init(New(make, file: file, line: line).draft, lifetime)
  }

  /// Declares a dependency with a factory that resolves nothing.
  ///
  /// - Parameters:
  ///   - lifetime: The time that an instance lives.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  @_disfavoredOverload
  @inlinable
  public init(
    _ lifetime: Lifetime, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Value
  ) {
    self.init(DefinitionDraft(passing: make, SourceLocation(file: file, line: line)), lifetime)
  }

  /// Declares a dependency of the lifetime ``Lifetime/new`` with a factory or an initializer that resolves nothing:
  /// `Dependency<Router>(RouterImpl.init)`.
  ///
  /// - Parameters:
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  @_disfavoredOverload
  @inlinable
  public init(
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Value,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(.new, file: file, line: line, make)
  }

  /// Declares a dependency with an asynchronous factory, which `resolveAsync` calls.
  ///
  /// - Parameters:
  ///   - lifetime: The time that an instance lives.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  public init(
    _ lifetime: Lifetime = .new, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value
  ) {
    self.init(New(make, file: file, line: line).draft, lifetime)
  }

  /// Declares a dependency with an asynchronous factory that resolves nothing.
  ///
  /// - Parameters:
  ///   - lifetime: The time that an instance lives.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  @_disfavoredOverload
  public init(
    _ lifetime: Lifetime = .new, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) async throws -> Value
  ) {
    self.init(DefinitionDraft(passing: make, SourceLocation(file: file, line: line)), lifetime)
  }
}

// MARK: - Its key

extension Dependency {
  /// The label that tells its key from all others.
  @inlinable
  @inline(__always)
  var label: Label { unsafe .dependency(declaration) }

  /// The registration that answers unless it is overridden.
  var definition: Definition { unsafe declaration.takeUnretainedValue().definition }

  /// The key that it is found by.
  package var key: Key { Key(Value.self, label) }

  /// The place where it is declared.
  package var location: SourceLocation { definition.location }

  /// Returns registrations that override the dependency with what others register for its type.
  package func overridden(by registrations: RegistrationList) -> RegistrationList {
    var list = RegistrationList()
    registrations.forEach { list.add(Definition($0.draft.labeled(label), lifetime: $0.lifetime)) }
    return list
  }
}

extension DefinitionDraft {
  /// The draft of what a function creates from the arguments of a resolve.
  @inlinable
  init<Value, each Argument>(
    passing make: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Value, _ location: SourceLocation
  ) {
    let call = withoutIsolation(make)
    let factory = Factory { _, arguments, memory in
      let values = arguments.value(as: (repeat each Argument).self)
      try memory.initialize { try call(repeat each values) }
    }
    self.init(
      type: Value.self, factory: factory, isolation: make.isolation, arguments: (repeat each Argument).self,
      aliases: [], label: .none, location: location)
  }
  /// The draft of what an asynchronous function creates from the arguments of a resolve.
  init<Value, each Argument>(
    passing make: @escaping @isolated(any) @Sendable (repeat each Argument) async throws -> Value,
    _ location: SourceLocation
  ) {
    let call = withoutIsolation(make)
    let factory = Factory(async: { _, arguments in
      let values = arguments.value(as: (repeat each Argument).self)
      return Box(try await call(repeat each values))
    })
    self.init(
      type: Value.self, factory: factory, isolation: make.isolation, arguments: (repeat each Argument).self,
      aliases: [], label: .none, location: location)
  }
}
