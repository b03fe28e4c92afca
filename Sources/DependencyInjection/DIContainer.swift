internal import Synchronization

/// Registers dependencies and resolves them.
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
/// The static methods work on ``current``, which is ``shared`` unless something else was made current. Every method
/// may be called on any thread at any time, also by factories while they create. The newest registration of a type
/// wins: the next resolve sees it, and what the replaced one kept is released at once.
///
/// A resolve of an instance that the container or an ancestor keeps allocates nothing. It takes no lock either, unless a
/// container on the way may have replaced something that the instance was built from.
@safe
public final class DIContainer: @unchecked Sendable {
  // Unchecked: `state` is locked, and `table` is made for concurrent readers; the rest never changes.

  /// What readers find without a lock: a cache of `state`, filled by the first resolve of each type.
  ///
  /// In memory of its own, because the reference count of the container changes whenever somebody registers, and readers
  /// would have to wait for its cache line.
  let table = StablePointer(allocating: ResolveTable())

  /// What is registered and what has been created.
  let state: Locked<ContainerState>

  /// The container that answers what is not registered here.
  ///
  /// Keep it the only property of this type: then the compiler releases a chain of containers in a loop, of any length.
  package let parent: DIContainer?

  /// How many ancestors there are.
  package let level: Int

  /// A Boolean value that indicates whether this is the container of the process.
  let isShared: Bool

  /// What tells it from all other containers there are and were.
  package let number = DIContainer.count.wrappingAdd(1, ordering: .relaxed).newValue

  private static let count = Atomic(0)

  /// How many containers this one succeeds; see `ContainerReference`.
  let generation: Int

  /// The container of the process.
  public static let shared = {
    let shared = DIContainer(registry: Registry(defaults: .pending), isShared: true)
    // It is never released, so its address stays good.
    sharedAddress.store(unsafe UInt(bitPattern: Unmanaged.passRetained(shared).toOpaque()), ordering: .releasing)
    return shared
  }()

  /// Creates an empty container that knows nothing of any other.
  public convenience init() {
    self.init(registry: Registry(defaults: .none))
    showToCurrentObservers()
  }

  /// Creates an empty container that falls back to another one.
  ///
  /// What is registered in the child shadows the parent's, for everything that is resolved through the child: also for
  /// what the parent's factories resolve on the way. An instance that depends on something the child shadows is
  /// created for the child and kept there; every other instance is the parent's. On other threads and in other tasks,
  /// only what a factory resolves with its resolver counts for this. One thread at a time creates from a registration,
  /// whichever of the containers it creates for.
  ///
  /// - Parameter parent: The container to fall back to; the child keeps it alive.
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
    // Added, because the number has changed already if an observer has come or gone in between; see `countObservers`.
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
  /// - Parameter registration: What to register; it replaces older registrations of the same types.
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
  /// - Parameter registrations: What to register, in order; each replaces older registrations of the same types.
  public func register(@RegistrationBuilder _ registrations: () -> RegistrationList) {
    add(registrations())
  }

  /// Registers one dependency or module with the current container.
  ///
  /// - Parameter registration: What to register; it replaces older registrations of the same types.
  @inlinable
  public static func register(_ registration: consuming some Registration) {
    current.register(registration)
  }

  /// Registers any number of dependencies and modules with the current container, at once.
  ///
  /// - Parameter registrations: What to register, in order; each replaces older registrations of the same types.
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
  ///   - name: The name it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: Returns the argument, or a tuple of them, if the registration takes any.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
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
  /// A factory that is not marked `throws` cannot pass on a failure of what it resolves itself: that traps. Let it use
  /// ``Resolver/tryResolve(_:named:file:line:arguments:)``.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: Returns the argument, or a tuple of them, if the registration takes any.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
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
  ///   - name: The name it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: Returns the argument, or a tuple of them, if the registration takes any.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
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
  ///   - name: The name it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: Returns the argument, or a tuple of them, if the registration takes any.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
  /// - Throws: ``ResolutionError`` where ``resolve(_:named:file:line:arguments:)-swift.type.method`` would trap.
  @inlinable
  public static func tryResolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) throws(ResolutionError) -> Value {
    try tryResolve(Label(name), passing: arguments(), file, line, from: nil)
  }
}
