/// How an instance is created: a closure whose type is known where the instance is asked for, and nowhere else.
///
/// All forms that a registration can be written in end here. What is between a resolve and the closure is not generic,
/// or is specialised for the type at hand: generic code that the optimiser cannot specialise is slow, and a generic class
/// would cost its metadata for every registered type.
@safe
@usableFromInline
struct Factory: @unchecked Sendable {
  // Unchecked: the closures are `Sendable`, or isolated to the actor that `isolation` names.

  /// Creates an instance in uninitialized memory for one, or leaves it uninitialized and returns why.
  @usableFromInline
  typealias Create = (Resolver, Arguments.Place, UnsafeMutableRawPointer) -> (any Error)?

  /// The actor the closure has to run on, if any.
  let isolation: (any Actor)?

  /// The tuple of the arguments that a resolve has to pass, or nil if it takes none.
  let arguments: Any.Type?

  /// The closure, if it takes no arguments.
  @usableFromInline
  let maker: Maker<Void>

  /// The closure, if it takes arguments.
  private let create: Create?

  @usableFromInline
  init(isolation: (any Actor)?, arguments: Any.Type?, maker: Maker<Void>, create: Create?) {
    self.isolation = isolation
    self.arguments = arguments
    self.maker = maker
    unsafe self.create = create
  }

  /// Whether it can be called as it is: on any thread, and without arguments.
  var isPlain: Bool { isolation == nil && arguments == nil }

  /// Creates an instance in uninitialized memory for one, or leaves it uninitialized and returns why.
  ///
  /// For who does not know the type; `type` is the registration's.
  func create(
    _ type: Any.Type, _ resolver: Resolver, _ arguments: Arguments.Place?, into memory: UnsafeMutableRawPointer
  ) -> (any Error)? {
    if let create = unsafe create { return unsafe create(resolver, arguments.unsafelyUnwrapped, memory) }
    func make<Value>(_: Value.Type) -> (any Error)? {
      do {
        // Sound: the closure was kept as one that returns this type, and the memory is for an instance of it.
        unsafe memory.assumingMemoryBound(to: Value.self).initialize(to: try maker.make(Value.self, resolver))
        return nil
      } catch {
        return error
      }
    }
    return _openExistential(type, do: make)
  }
}

extension Factory {
  /// Keeps a closure that takes no arguments.
  @inlinable
  @inline(__always)
  init<Value>(isolation: (any Actor)?, _ make: @escaping (Resolver) throws -> Value) {
    unsafe self.init(isolation: isolation, arguments: nil, maker: Maker<Value>.keep(make), create: nil)
  }

  /// Keeps a closure that takes arguments.
  @inlinable
  init<Value>(
    isolation: (any Actor)?, arguments: Any.Type, _ make: @escaping (Resolver, Arguments.Place) throws -> Value
  ) {
    unsafe self.init(isolation: isolation, arguments: arguments, maker: .none) { resolver, arguments, memory in
      do {
        // Sound: whoever calls provides memory for an instance of the type.
        unsafe memory.assumingMemoryBound(to: Value.self).initialize(to: try make(resolver, arguments))
        return nil
      } catch {
        return error
      }
    }
  }
}

/// A closure that creates an instance of a type that is known only to who registers and who resolves it.
///
/// Every one is created as a `Maker<Void>`, so that there is one class in the process, and used as what it is: a closure
/// is two words, whatever it returns.
@usableFromInline
final class Maker<Value>: @unchecked Sendable {
  // Unchecked: see `Factory`.

  @usableFromInline
  let closure: Closure

  @usableFromInline
  init(_ closure: Closure) { self.closure = closure }

  /// The closure, in a struct so that it can be cast.
  @usableFromInline
  struct Closure {
    @usableFromInline
    let call: (Resolver) throws -> Value

    @inlinable
    init(call: @escaping (Resolver) throws -> Value) { self.call = call }
  }

  /// Keeps a closure.
  @inlinable
  @inline(__always)
  static func keep(_ make: @escaping (Resolver) throws -> Value) -> Maker<Void> {
    // Sound: nobody calls it as what it is cast to.
    Maker<Void>(unsafe unsafeBitCast(Closure(call: make), to: Maker<Void>.Closure.self))
  }
}

extension Maker<Void> {
  /// For factories that take arguments.
  @usableFromInline
  static let none = Maker(Closure { _ in })

  /// Calls the closure, which was kept as one that returns a `Result`.
  @inlinable
  @inline(__always)
  func make<Result>(_: Result.Type, _ resolver: Resolver) throws -> Result {
    // Sound: see above; and not retained, because who calls has a reference.
    try unsafe Unmanaged<Maker<Result>>.fromOpaque(Unmanaged.passUnretained(self).toOpaque())
      ._withUnsafeGuaranteedRef { try $0.closure.call(resolver) }
  }
}
