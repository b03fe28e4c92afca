/// A container that registers dependencies and resolves them.
///
/// Register when the app starts, and resolve or inject anywhere:
///
/// ```swift
/// DIContainer.register {
///   Shared(AppConfigurationImpl() as AppConfiguration)
///   Shared { resolve in RouterImpl(config: resolve()) as Router }
/// }
///
/// let router = DIContainer.resolve(Router.self)
/// ```
///
/// The static methods work on ``current``, which is ``shared`` unless another container was made current. Every method
/// may be called on any thread at any time, including by a factory while it creates an instance. A new registration
/// replaces an earlier one of the same type. The next resolution sees it, and the instance of the replaced registration
/// is released at once.
///
/// Resolving an instance that is kept by the container or one of its ancestors allocates nothing. It also takes no
/// lock, unless a trace or a test observes the container.
///
/// A `DIContainer` is a handle to a container: when the last reference to the handle is released, the container
/// releases its instances. Two handles to the same container are equal.
public final class DIContainer: Sendable, _NonisolatedExtensions {
  /// The registry that answers.
  ///
  /// It may outlive the handle, and then keeps nothing.
  @usableFromInline
  package let registry: Registry

  /// The handle to the parent with which this container was created, and which this handle keeps alive.
  ///
  /// Keep it the only property of this type: the compiler then releases a chain of containers of any length in a loop.
  private let keptParent: DIContainer?

  /// A Boolean value that indicates whether the container ends when this handle is released.
  private let isOwner: Bool

  private static let sharedHandle = DIContainer(.shared)

  /// The handle to the shared container that is current if no container was made current.
  private static let defaultHandle = DIContainer(.shared)

  /// The shared container of the process.
  public static var shared: DIContainer {
    AppRegistration.ensure()
    return sharedHandle
  }

  /// The shared container, for code that does not name it.
  static var `default`: DIContainer {
    AppRegistration.ensure()
    return defaultHandle
  }

  /// Creates an empty container without a parent.
  public convenience init() {
    self.init(owning: Registry(parent: nil))
  }

  /// Creates an empty container that falls back to another one.
  ///
  /// A registration in the child hides the parent's registration from everything that is resolved through the child. It
  /// does not affect the instances that the parent keeps, because their factories do not see the child.
  ///
  /// - Parameter parent: The container to fall back to. The child keeps it alive, unless it is ``current`` inside a
  ///   factory: that handle owns nothing.
  public convenience init(parent: DIContainer) {
    let registry = Registry(parent: parent.registry)
    if parent === Self.defaultHandle, Self.bound == nil { registry.isBelowDefault = true }
    self.init(owning: registry, parent: parent)
  }

  /// Creates a container with the registrations of another one and of its ancestors, and without instances.
  ///
  /// `withOverrides` makes such a copy current. What is created in the copy stays in the copy, which sees neither the
  /// instances of the other container nor its later registrations. A copy of a child is a child of copies of its
  /// ancestors. In such a copy, `reset`, `unregister` and `removeAll` do what they do in the child.
  ///
  /// - Parameter original: The container to copy.
  public convenience init(copying original: DIContainer) {
    self.init(copying: original.registry, withObservers: true)
  }

  /// Creates a copy, with or without the observers of the original.
  package convenience init(copying original: Registry, withObservers: Bool) {
    self.init(owning: original.copy(withObservers: withObservers), isShown: withObservers)
  }

  /// Creates an empty container that is not reported to observers.
  ///
  /// - Parameter parent: The parent; nil for none.
  /// - Returns: The container.
  package static func unobserved(below parent: DIContainer? = nil) -> DIContainer {
    DIContainer(owning: Registry(parent: parent?.registry), parent: parent, isShown: false)
  }

  private init(owning registry: Registry, parent: DIContainer? = nil, isShown: Bool = true) {
    (self.registry, keptParent, isOwner) = (registry, parent, true)
    if isShown, Circumstances.areObserved { reportCreation() }
  }

  /// Reports the container to the observers of the current container, and to those of its parent or original.
  private func reportCreation() {
    let current = Resolver.current.registry.observers
    for observer in current { observer.didCreate(self) }
    for observer in observers where !current.contains(where: { $0 === observer }) { observer.didCreate(self) }
  }

  /// Creates a handle that owns nothing.
  init(_ registry: Registry) {
    (self.registry, keptParent, isOwner) = (registry, nil, false)
  }

  deinit {
    if !isOwner { return }
    // Usually, nothing else refers to the registry, which is about to be released with all its contents.
    if registry.copiedParent == nil, Unowned(registry).isOnlyReference { return }
    end()
  }

  /// Releases all instances, and keeps none from now on.
  package func end() {
    // Nothing else has a handle to the ancestors with which it was copied.
    for registry in registry.copiedLineage { registry.end() }
  }
}

extension DIContainer: Hashable {
  /// Returns a Boolean value that indicates whether two handles refer to the same container.
  public static func == (container: DIContainer, other: DIContainer) -> Bool { container.registry === other.registry }

  /// Hashes the identity of the container.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(registry)) }
}

// MARK: - Registering

extension DIContainer {
  /// Registers one dependency or module.
  ///
  /// - Parameter registration: The registration; it replaces older registrations of the same types.
  @inlinable
  public func register(_ registration: consuming some Registration) {
    var list = RegistrationList()
    list.add(consume registration)
    add(consume list)
  }

  /// Registers any number of dependencies and modules at once.
  ///
  /// Other threads see all of them or none.
  ///
  /// - Parameter registrations: The registrations, in order; each replaces older registrations of the same types.
  public func register(@RegistrationBuilder _ registrations: () -> RegistrationList) {
    add(registrations())
  }

  /// Registers one dependency or module with the current container.
  ///
  /// - Parameter registration: The registration; it replaces older registrations of the same types.
  @inlinable
  public static func register(_ registration: consuming some Registration) {
    current.register(registration)
  }

  /// Registers any number of dependencies and modules with the current container, at once.
  ///
  /// - Parameter registrations: The registrations, in order; each replaces older registrations of the same types.
  public static func register(@RegistrationBuilder _ registrations: () -> RegistrationList) {
    current.register(registrations)
  }
}

extension DIContainer {
  /// Registers all registrations of a list at once.
  @usableFromInline
  package func add(_ list: RegistrationList) {
    if SharedContainerGuard.isWatching { willChange(list, removingBy: nil) }
    registry.register(list, isOverride: false)
    list.actions?.forEach { $0(self) }
  }

  /// Changes the registry, after calling the handler of DITesting, if there is one.
  private func change(removingBy method: String? = nil, _ body: (Registry) -> Void) {
    if SharedContainerGuard.isWatching { willChange(nil, removingBy: method) }
    body(registry)
  }

  private func willChange(_ list: RegistrationList?, removingBy method: String?) {
    if AppRegistration.isRunning || !registry.isShared { return }
    SharedContainerGuard.handlers.withLock(\.first)?(list, method, self !== Self.defaultHandle)
  }

  /// Replaces registrations, and removes their decorators, so that everything that is resolved from here finds the new ones.
  package func addOverrides(_ list: RegistrationList) {
    registry.override(list)
    list.actions?.forEach { $0(self) }
  }

  /// Releases the instances of this container, and of the ancestors with which it was copied.
  package func dropInstances() { registry.reset(in: registry.copiedLineage) }

  /// Restores registrations and instances.
  package func restore(_ snapshot: Registry.Snapshot) { change { $0.restore(snapshot) } }

  /// Removes the registration and the decorators of a key.
  func unregister(_ key: Key) { change(removingBy: "unregister") { $0.unregister(key) } }

  /// Removes the registrations of this container, including those of ``DependencyRegistering``, and releases its
  /// instances.
  ///
  /// A declared ``Dependency`` stays available, without overrides.
  public func removeAll() { change(removingBy: "removeAll") { $0.removeAll() } }
}

// MARK: - Resolving

extension DIContainer {
  /// The resolver of this container, for code that runs in no factory.
  @usableFromInline
  var resolver: Resolver { Resolver(registry, in: nil) }

  /// Resolves a dependency, or traps with the text of the ``ResolutionError`` at the caller's file and line.
  ///
  /// See ``resolve(_:named:file:line:arguments:)-swift.type.method``.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  @inlinable
  @inline(always)
  public func resolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) -> Value {
    if Arguments.self == Void.self { return resolve(Label(name), file, line) }
    return DIContainer.resolve(Label(name), passing: arguments(), file, line, from: registry)
  }

  /// Resolves a dependency or throws.
  ///
  /// A factory that is not marked `throws` cannot pass on the error of a dependency that it resolves; such an error
  /// traps. Use ``Resolver/tryResolve(_:named:file:line:arguments:)`` in a factory that can throw.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  /// - Throws: ``ResolutionError`` where ``resolve(_:named:file:line:arguments:)-method`` would trap.
  @inlinable
  public func tryResolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) throws(ResolutionError) -> Value {
    try DIContainer.tryResolve(Label(name), passing: arguments(), file, line, from: registry)
  }

  /// Resolves a dependency from the current container, or traps with the text of the ``ResolutionError`` at the
  /// caller's file and line.
  ///
  /// ```swift
  /// let router = DIContainer.resolve(Router.self)
  /// let config: AppConfiguration = DIContainer.resolve()
  /// let item = DIContainer.resolve(ItemViewModel.self) { "42" }  // pass several arguments as a tuple
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  @inlinable
  @inline(always)
  public static func resolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) -> Value {
    if Arguments.self == Void.self { return resolve(Label(name), file, line) }
    return resolve(Label(name), passing: arguments(), file, line, from: nil)
  }

  /// Resolves a dependency from the current container or throws.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  /// - Throws: ``ResolutionError`` where ``resolve(_:named:file:line:arguments:)-swift.type.method`` would trap.
  @inlinable
  public static func tryResolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) throws(ResolutionError) -> Value {
    try tryResolve(Label(name), passing: arguments(), file, line, from: nil)
  }
}

// MARK: - Removing

extension DIContainer {
  /// Removes the registration and the decorators of a type, and releases the instance unless an alias of it is still
  /// registered.
  ///
  /// A parent's registration of the type becomes visible again. An optional type stands for the type that it wraps.
  ///
  /// - Parameters:
  ///   - type: The registered type.
  ///   - name: The name that it is registered with, if any.
  public func unregister<Value>(_ type: Value.Type, named name: DependencyName? = nil) {
    unregister(Key(wrappedType(of: type), Label(name)))
  }

  /// Releases the instance that this container keeps for a type, and keeps the registration.
  ///
  /// The next resolution creates a new instance. If an instance is being created, its requesters still get it, but the
  /// container does not keep it. An instance of an ancestor stays with the ancestor.
  ///
  /// - Parameters:
  ///   - type: A type under which the instance is registered.
  ///   - name: The name that it is registered with, if any.
  public func reset<Value>(_ type: Value.Type, named name: DependencyName? = nil) {
    reset(Key(wrappedType(of: type), Label(name)))
  }

  func reset(_ key: Key, declaredAs declared: Definition? = nil) {
    change(removingBy: "reset") { $0.reset(key, declaredAs: declared) }
  }

  /// Releases the instances of this container and keeps its registrations.
  ///
  /// The next resolutions create new instances. If an instance is being created, its requesters still get it, but the
  /// container does not keep it.
  public func reset() { change(removingBy: "reset") { $0.reset() } }

  /// Removes the registration and the decorators of a type from the current container.
  ///
  /// - Parameters:
  ///   - type: The registered type.
  ///   - name: The name that it is registered with, if any.
  public static func unregister<Value>(_ type: Value.Type, named name: DependencyName? = nil) {
    current.unregister(type, named: name)
  }

  /// Releases the instance that the current container keeps for a type, and keeps the registration.
  ///
  /// - Parameters:
  ///   - type: A type under which the instance is registered.
  ///   - name: The name that it is registered with, if any.
  public static func reset<Value>(_ type: Value.Type, named name: DependencyName? = nil) {
    current.reset(type, named: name)
  }

  /// Releases the instances of the current container and keeps its registrations.
  public static func reset() {
    current.reset()
  }

  /// Removes the registrations of the current container and releases its instances.
  public static func removeAll() {
    current.removeAll()
  }

  /// Ends a scope: releases its instances, so that the next resolutions create new ones.
  ///
  /// This applies to what this container and its ancestors register. ``Scope/container`` ends in this container only. If an
  /// instance is being created, its requesters still get it, but no container keeps it.
  ///
  /// - Parameter scope: The scope.
  public func reset(_ scope: Scope) { change(removingBy: "reset") { $0.reset(scope) } }

  /// Ends a scope in the current container and its ancestors, or ``Scope/container`` in the current container only.
  ///
  /// - Parameter scope: The scope.
  public static func reset(_ scope: Scope) {
    current.reset(scope)
  }
}
