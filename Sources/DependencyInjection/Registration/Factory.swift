/// How an instance is created: what the many forms of a registration have in common.
@usableFromInline
struct Factory: @unchecked Sendable {
  // Unchecked: the closures are `Sendable`, or isolated to the actor that `isolation` names.

  /// The closure, if it takes no arguments.
  @usableFromInline
  let closure: AnyClosure

  /// What most registrations do not need.
  @usableFromInline
  let details: Details?

  @inlinable
  @inline(__always)
  init(closure: AnyClosure, details: Details?) {
    self.closure = closure
    self.details = details
  }

  /// What is special about a registration.
  @safe
  @usableFromInline
  final class Details {
    /// Creates an instance from arguments in uninitialized memory for one, or leaves it uninitialized and returns why.
    @usableFromInline
    typealias Create = (Resolver, Arguments.Place, UnsafeMutableRawPointer) -> (any Error)?

    /// The actor the closure has to run on, if any.
    let isolation: (any Actor)?

    /// The tuple of the arguments that a resolve has to pass, or nil if it takes none.
    let arguments: Any.Type?

    /// The closure, if it takes arguments.
    let create: Create?

    /// Creates an instance asynchronously.
    @usableFromInline
    typealias CreateAsync = @concurrent @Sendable (Resolver, Arguments.Place?) async throws -> Box

    /// The closure, if it is asynchronous.
    let createAsync: CreateAsync?

    /// What tells the registration from others of the same type.
    let label: Label

    /// The scope its instance is limited to, if any.
    let scope: Scope?

    /// What to do when the type is asked for, if there is nothing to create.
    let tripwire: Tripwire?

    private init(
      _ isolation: (any Actor)?, _ arguments: Any.Type?, _ create: Create?, _ createAsync: CreateAsync?, _ label: Label,
      _ scope: Scope?, _ tripwire: Tripwire?
    ) {
      self.isolation = isolation
      self.arguments = arguments
      unsafe self.create = create
      self.createAsync = createAsync
      self.label = label
      self.scope = scope
      self.tripwire = tripwire
    }

    @usableFromInline
    convenience init(isolation: (any Actor)?, arguments: Any.Type?, create: Create?) {
      unsafe self.init(isolation, arguments, create, nil, .none, nil, nil)
    }

    /// An asynchronous factory.
    convenience init(isolation: (any Actor)?, arguments: Any.Type?, async create: @escaping CreateAsync) {
      unsafe self.init(isolation, arguments, nil, create, .none, nil, nil)
    }

    /// No factory, but a tripwire.
    convenience init(tripwire: @escaping Tripwire) {
      unsafe self.init(nil, nil, nil, nil, .none, nil, tripwire)
    }

    /// The same factory, if there is anything special about it, with a label and a scope.
    convenience init(_ factory: Details?, label: Label, scope: Scope?) {
      unsafe self.init(
        factory?.isolation, factory?.arguments, factory?.create, factory?.createAsync, label, scope, factory?.tripwire)
    }
  }
}

extension Factory {
  /// Keeps a closure that resolves what it needs.
  @inlinable
  @inline(__always)
  init<Value>(isolation: (any Actor)?, _ make: @escaping (Resolver) throws -> Value) {
    self.init(closure: ResolvingClosure(call: make).erased, isolation)
  }

  /// Keeps a closure that needs nothing.
  @inlinable
  @inline(__always)
  init<Value>(isolation: (any Actor)?, _ make: @escaping () throws -> Value) {
    self.init(closure: PlainClosure(call: make).erased, isolation)
  }

  @inlinable
  @inline(__always)
  init(closure: AnyClosure, _ isolation: (any Actor)?) {
    self.init(
      closure: closure,
      details: isolation == nil ? nil : unsafe Details(isolation: isolation, arguments: nil, create: nil))
  }

  /// Keeps a closure that takes arguments.
  @inlinable
  init<Value>(
    isolation: (any Actor)?, arguments: Any.Type, _ make: @escaping (Resolver, Arguments.Place) throws -> Value
  ) {
    let details = unsafe Details(isolation: isolation, arguments: arguments) { resolver, arguments, memory in
      do {
        // Sound: whoever calls provides memory for an instance of the type.
        unsafe memory.assumingMemoryBound(to: Value.self).initialize(to: try make(resolver, arguments))
        return nil
      } catch {
        return error
      }
    }
    self.init(closure: .none, details: details)
  }

  /// Keeps an asynchronous closure.
  @usableFromInline
  init(isolation: (any Actor)?, arguments: Any.Type?, async create: @escaping Details.CreateAsync) {
    Gate.watchFactories()
    self.init(closure: .none, details: Details(isolation: isolation, arguments: arguments, async: create))
  }
}

/// A closure that creates an instance and needs nothing, in a struct so that it can be cast.
@usableFromInline
struct PlainClosure<Value> {
  @usableFromInline
  let call: () throws -> Value

  @inlinable
  @inline(__always)
  init(call: @escaping () throws -> Value) { self.call = call }

  /// The same, for who does not know the type.
  @inlinable
  @inline(__always)
  var erased: AnyClosure {
    // Sound: nobody calls it as what it is cast to.
    AnyClosure(closure: unsafe unsafeBitCast(self, to: ResolvingClosure<Void>.self), form: .plain)
  }
}

/// A closure that creates an instance of a class, needs nothing and cannot fail: it returns the instance in a register,
/// where the others, whose result may be anything, write it to memory.
@usableFromInline
struct ObjectClosure {
  @usableFromInline
  let call: () -> AnyObject

  @inlinable
  @inline(__always)
  init(call: @escaping () -> AnyObject) { self.call = call }

  /// The same, for who does not know the form.
  @inlinable
  @inline(__always)
  var erased: AnyClosure {
    // Sound: as above.
    AnyClosure(closure: unsafe unsafeBitCast(self, to: ResolvingClosure<Void>.self), form: .object)
  }
}

/// A closure that creates an instance and resolves what that needs, in a struct so that it can be cast.
@usableFromInline
package struct ResolvingClosure<Value> {
  @usableFromInline
  let call: (Resolver) throws -> Value

  @inlinable
  @inline(__always)
  init(call: @escaping (Resolver) throws -> Value) { self.call = call }

  /// The same, for who does not know the type.
  @inlinable
  @inline(__always)
  var erased: AnyClosure {
    // Sound: as above.
    AnyClosure(closure: unsafe unsafeBitCast(self, to: ResolvingClosure<Void>.self), form: .resolving)
  }
}

/// Which of the three a closure is.
@usableFromInline
package struct ClosureForm {
  // A bit for each question: from a `switch` the compiler makes one that begins with the rarest.
  @usableFromInline
  let bits: UInt8

  @inlinable
  @inline(__always)
  init(bits: UInt8) { self.bits = bits }

  @inlinable
  @inline(__always)
  static var plain: Self { Self(bits: 0) }

  @inlinable
  @inline(__always)
  static var resolving: Self { Self(bits: 1) }

  @inlinable
  @inline(__always)
  static var object: Self { Self(bits: 2) }

  @inlinable
  @inline(__always)
  var isResolving: Bool { bits & 1 != 0 }

  @inlinable
  @inline(__always)
  var isObject: Bool { bits & 2 != 0 }
}

/// One of the three, which returns a value of a type that somebody else knows.
@usableFromInline
struct AnyClosure {
  @usableFromInline
  let closure: ResolvingClosure<Void>

  @usableFromInline
  let form: ClosureForm

  @inlinable
  @inline(__always)
  init(closure: ResolvingClosure<Void>, form: ClosureForm) {
    self.closure = closure
    self.form = form
  }

  /// For factories that take arguments.
  @usableFromInline
  static var none: Self { Self(closure: ResolvingClosure { _ in }, form: .resolving) }
}

/// What a definition looks like to who knows the type that its closure returns.
///
/// Its one subclass is `Definition`, as a `Maker<ResolvingClosure<Void>>`, so that there is one class in the process
/// however many types are registered. Who resolves looks at it as the `Maker` that it would be: that is the same in
/// memory, because a closure is two words, whatever it returns. So what stands between a resolve and the closure is
/// specialised for the type, which costs less than an erased closure around it.
@usableFromInline
package class Maker<Closure>: @unchecked Sendable {
  // Unchecked: see `Factory`.

  @usableFromInline
  final let closure: Closure

  /// What the closure is in truth.
  @usableFromInline
  final let form: ClosureForm

  init(_ closure: consuming Closure, form: ClosureForm) {
    self.closure = closure
    self.form = form
  }
}

/// What a definition looks like to who makes it, and knows the type that its closure returns: in memory it begins as a
/// `Maker` does, but before anybody else sees it the closure can still be set, once.
///
/// The closure must come first in both. As a `Maker` has a constant there, no code that reads it may be compiled together
/// with the code that sets it: hence the functions that are never inlined.
@usableFromInline
final class UnfinishedMaker<Closure> {
  // Unchecked: see above.
  @exclusivity(unchecked)
  @usableFromInline
  var closure: Closure

  // Not called: a definition is only looked at as one of these.
  private init(_ closure: Closure) { unsafe self.closure = closure }
}
