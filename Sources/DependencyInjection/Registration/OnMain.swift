/// A ``Shared`` whose factory is isolated to the main actor: `MainShared(AppConfig())`.
public typealias MainShared = OnMain<Shared>

/// A ``New`` whose factory is isolated to the main actor: `MainNew(HomeViewModel())`.
public typealias MainNew = OnMain<New>

/// A ``Weak`` whose factory is isolated to the main actor.
public typealias MainWeak = OnMain<Weak>

/// A ``PerGraph`` whose factory is isolated to the main actor.
public typealias MainPerGraph = OnMain<PerGraph>

/// A registration whose factory is isolated to the main actor.
///
/// The expressions and closures in it need no `@MainActor`. Use it in a target whose default isolation is the main
/// actor, such as that of a new Xcode project:
///
/// ```swift
/// extension Module {
///   static let home = Module {
///     MainShared(AppConfig())
///     MainShared { resolve in AppRouter(config: resolve()) as Router }
///     MainNew(HomeViewModel())
///     MainNew { _, id in ItemViewModel(id: id) }
///     Shared(Clock(hour: 12))  // what any thread may create
///   }
/// }
/// ```
///
/// Conversions (`aliases:`) run on any thread, so ``MainShared`` does not take them. Use ``Shared`` for these.
@frozen
public struct OnMain<Base: InstanceRegistration>: Registration {
  @usableFromInline
  let base: Base

  @inlinable
  init(_ base: consuming Base) { self.base = base }

  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  @inlinable
  public func add(to list: inout RegistrationList) { base.add(to: &list) }
}

extension OnMain {
  /// Registers the value of an expression: `MainNew(HomeViewModel())`.
  ///
  /// - Parameters:
  ///   - make: The expression. It is evaluated only on the main actor.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @_disfavoredOverload
  @inlinable
  public init<Value, each Alias>(
    _ make: @autoclosure @escaping @MainActor @Sendable () -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Base(onMain: make(), as: repeat each aliases, named: name, file: file, line: line))
  }

  /// Registers the result of a closure or an initializer without parameters: `MainNew(HomeViewModel.init)`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. It is called only on the main actor.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @inlinable
  public init<Value, each Alias>(
    _ make: @escaping @MainActor @Sendable () throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Base(make, as: repeat each aliases, named: name, file: file, line: line))
  }

  /// Registers the result of a closure that resolves what it needs, with arguments if the resolution passes any:
  /// `MainShared { resolve in RouterImpl(config: resolve()) }`, `MainNew { _, id in ViewModel(id: id) }`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. It is called only on the main actor.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @inlinable
  public init<Value, each Argument, each Alias>(
    _ make: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(Base(make, as: repeat each aliases, named: name, file: file, line: line))
  }

  /// Registers the result of an asynchronous closure, with arguments if the resolution passes any.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. It begins on the main actor.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  public init<Value, each Argument, each Alias>(
    _ make: @escaping @MainActor @Sendable (Resolver, repeat each Argument) async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(Base(make, as: repeat each aliases, named: name, file: file, line: line))
  }

  /// Registers the result of an asynchronous closure without parameters: `MainShared { try await Database.open() }`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. It begins on the main actor.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  public init<Value, each Alias>(
    _ make: @escaping @MainActor @Sendable () async throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Base(make, as: repeat each aliases, named: name, file: file, line: line))
  }

  /// Registers the result of an initializer whose parameters are resolved: `MainShared(autowire: RouterImpl.init(config:))`.
  ///
  /// - Parameters:
  ///   - make: The initializer. It is called only on the main actor.
  ///   - arguments: The types of the arguments that a resolution has to pass, in the order of the parameters.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @_disfavoredOverload  // a trailing closure is none of these
  @inlinable
  public init<Value, each Parameter, each Argument, each Alias>(
    autowire make: @escaping @MainActor @Sendable (repeat each Parameter) throws -> Value,
    arguments: repeat (each Argument).Type, as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      Base(
        autowire: make, arguments: repeat each arguments, as: repeat each aliases, named: name, file: file, line: line))
  }
}
