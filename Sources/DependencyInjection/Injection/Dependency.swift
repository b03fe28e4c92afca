/// A dependency that cannot be missing, because it is declared together with its factory.
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
/// A declared dependency is in the same registry as every other registration, with a key of its own. Overrides,
/// snapshots, isolation, and listings treat it like any registration. Keep it in a `static let`: each `Dependency` that
/// is created is another dependency, and lives as long as the process. A computed property would create another
/// dependency at each access. Each would have an instance of its own, and no override of an earlier one would apply to
/// it.
///
/// If a type injects a declared dependency of its own type, write the type of the constant:
/// `static let screen: Dependency<Screen> = Dependency { Screen() }`. Otherwise the declaration is a circular
/// reference.
@frozen
public struct Dependency<Value, each Argument>: Sendable {
  @usableFromInline
  let declaration: Unowned<Definition>

  @usableFromInline
  init(_ definition: Definition) {
    declaration = definition.declared()
  }

  /// Declares a dependency with a factory that resolves what it needs, and that takes the arguments of a call.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  @inlinable
  public init(
    _ lifetime: Lifetime = .new, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value
  ) {
    self.init(New(make, file: file, line: line).definition.with(lifetime: lifetime))
  }

  /// Declares a dependency with a factory that resolves nothing.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  @_disfavoredOverload
  @inlinable
  public init(
    _ lifetime: Lifetime, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Value
  ) {
    self.init(Definition(lifetime, passing: make, file, line))
  }

  /// Declares a dependency of the lifetime ``Lifetime/new`` with a factory or an initializer that resolves nothing:
  /// `Dependency<Router>(RouterImpl.init)`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  @_disfavoredOverload
  @inlinable
  public init(
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Value,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(.new, file: file, line: line, make)
  }

  /// Declares a dependency with an initializer whose parameters are resolved:
  /// `Dependency<Router>(.shared, autowire: RouterImpl.init(config:log:))`.
  ///
  /// Each parameter whose type matches the next argument of a call gets that argument:
  /// `Dependency<Page, String>(autowire: Page.init(router:id:))`.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance.
  ///   - make: The initializer. If it is isolated to an actor, it is called only there.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  @_disfavoredOverload  // a trailing closure is none of these
  public init<each Parameter>(
    _ lifetime: Lifetime = .new,
    autowire make: @escaping @isolated(any) @Sendable (repeat each Parameter) throws -> Value,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    let registration = New(autowire: make, arguments: repeat (each Argument).self, file: file, line: line)
    self.init(registration.definition.with(lifetime: lifetime))
  }

  /// Declares a dependency with an asynchronous factory, which `resolveAsync` calls.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  public init(
    _ lifetime: Lifetime = .new, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value
  ) {
    self.init(New(make, file: file, line: line).definition.with(lifetime: lifetime))
  }

  /// Declares a dependency with an asynchronous factory that resolves nothing.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  @_disfavoredOverload
  public init(
    _ lifetime: Lifetime = .new, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) async throws -> Value
  ) {
    let call = withoutIsolation(make)
    self.init(lifetime, file: file, line: line) { @concurrent (_: Resolver, argument: repeat each Argument) in
      try await call(repeat each argument)
    }
  }
}

// MARK: - Its key

extension Dependency {
  /// The label that distinguishes the dependency's key from all others.
  @inlinable
  @inline(__always)
  var label: Label { Label.dependency(declaration) }

  /// The registration that is used unless it is overridden.
  var definition: Definition { declaration.object }

  /// The key of the dependency.
  package var key: Key { Key(Value.self, label) }

  /// The location of the declaration.
  package var location: CodeLocation { definition.location }
}

extension Dependency where repeat each Argument: Hashable & Sendable {
  /// Declares a dependency with one instance for each argument, or for each tuple of arguments:
  /// `Dependency<Page, String>(instancePerArgument: .shared) { resolve, id in Page(id: id) }`.
  ///
  /// Each instance has the given lifetime. The container remembers the arguments until it is reset or ends, so use this
  /// form only for a limited number of different arguments. An override applies to all arguments. It has the lifetime
  /// that you give it, or creates a new instance for each call.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  public init(
    instancePerArgument lifetime: Lifetime, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value
  ) {
    let definition = New(make, file: file, line: line).definition
    self.init(
      definition.with(
        lifetime: lifetime,
        argumentList: { arguments in
          var list: [AnyHashable] = []
          for argument in repeat each arguments.value(as: (repeat each Argument).self) {
            list.append(AnyHashable(argument))
          }
          return list
        }))
  }
}
