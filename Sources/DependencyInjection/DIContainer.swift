internal import Synchronization

/// A container that registers dependencies and resolves them.
///
/// Register when the app starts, resolve or inject anywhere:
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
/// may be called on any thread at any time, including by a factory while it creates an instance. The newest
/// registration of a type wins. The next resolution sees it, and the instance of the replaced registration is released
/// at once.
///
/// Resolving an instance that the container or one of its ancestors keeps allocates nothing. It also takes no lock,
/// unless a container on the way may have replaced something that the instance was built from.
@safe
public final class DIContainer: @unchecked Sendable {
  // Unchecked: `state` is locked, and `table` is made for concurrent readers. Nothing else ever changes.

  /// The table that readers search without a lock: a cache of `state`, filled by the first resolution of each type.
  ///
  /// It has memory of its own. The reference count of the container changes with every registration, and readers would
  /// have to wait for its cache line.
  let table = StablePointer(allocating: ResolveTable())

  /// The registrations, the instances, and the creations in progress.
  let state: Locked<ContainerState>

  /// The container that resolves what is not registered here.
  ///
  /// Keep it the only property of this type: the compiler then releases a chain of containers of any length in a loop.
  package let parent: DIContainer?

  /// The number of ancestors.
  package let level: Int

  /// A Boolean value that indicates whether this is the shared container of the process.
  let isShared: Bool

  /// A number that no other container of the process has or had.
  package let number = DIContainer.count.wrappingAdd(1, ordering: .relaxed).newValue

  private static let count = Atomic(0)

  /// The number of containers that this one succeeds; see `ContainerReference`.
  let generation: Int

  /// The shared container of the process.
  public static let shared = {
    let shared = DIContainer(registry: Registry(defaults: registering == nil ? .none : .pending), isShared: true)
    // The shared container is never released, so its address stays valid.
    sharedAddress.store(unsafe UInt(bitPattern: Unmanaged.passRetained(shared).toOpaque()), ordering: .releasing)
    return shared
  }()

  /// Creates an empty container without a parent.
  public convenience init() {
    self.init(registry: Registry(defaults: .none))
    showToCurrentObservers()
  }

  /// Creates an empty container that falls back to another one.
  ///
  /// A registration in the child shadows the parent's for everything that is resolved through the child, including what
  /// the parent's factories resolve on the way. An instance that depends on a shadowed registration is created for the
  /// child and kept there. The parent keeps every other instance. On other threads and in other tasks, only what a
  /// factory resolves with its resolver counts for this. One thread at a time creates from a registration, for all
  /// containers together.
  ///
  /// - Parameter parent: The container to fall back to. The child keeps it alive.
  public convenience init(parent: DIContainer) {
    self.init(registry: Registry(defaults: .none), parent: parent)
    showToCurrentObservers()
  }

  init(registry: Registry, parent: DIContainer? = nil, isShared: Bool = false, generation: Int = 0) {
    state = Locked(ContainerState(registry: registry))
    self.isShared = isShared
    self.generation = generation
    self.parent = parent
    level = parent.map { $0.level + 1 } ?? 0
    guard let parent else { return }
    let observerCount = parent.state.withLock { state in
      state.children[ObjectIdentifier(self)] = WeakContainer(container: self)
      return state.observerCount
    }
    // Added, not assigned: if an observer has come or gone in between, the number has changed already. See
    // `countObservers`.
    if observerCount == 0, registry.records.isEmpty, registry.named.isEmpty { return }
    state.withLock { state in
      state.observerCount += observerCount
      updateShadowedKeys(state)
    }
  }

  deinit {
    parent?.state.withLock { _ = $0.children.removeValue(forKey: ObjectIdentifier(self)) }
    endInstances()
    table.deallocate()
  }
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

// MARK: - Resolving

extension DIContainer {
  /// Resolves a dependency, or traps with the text of the ``ResolutionError`` at the caller's file and line.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  @inlinable
  @inline(always)
  public func resolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) -> Value {
    if Arguments.self == Void.self { return resolve(Label(name), file, line) }
    return DIContainer.resolve(Label(name), passing: arguments(), file, line, from: self)
  }

  /// Resolves a dependency or throws.
  ///
  /// A factory that is not marked `throws` cannot pass on an error of what it resolves itself; such an error traps. Use
  /// ``Resolver/tryResolve(_:named:file:line:arguments:)`` in a factory that can throw.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  /// - Throws: ``ResolutionError`` where ``resolve(_:named:file:line:arguments:)-method`` would trap.
  @inlinable
  public func tryResolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) throws(ResolutionError) -> Value {
    try DIContainer.tryResolve(Label(name), passing: arguments(), file, line, from: self)
  }

  /// Resolves a dependency from the current container, or traps with the text of the ``ResolutionError`` at the
  /// caller's file and line.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
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
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
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
