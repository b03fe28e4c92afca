// These functions remove the isolation of a closure, so that a factory has one type whatever its isolation is. The
// container calls such a closure only after it has checked that the current code is isolated to the closure's actor, or
// after a hop to that actor.
//
// Sound: isolation is part of the context of an `@isolated(any)` closure, not of how it is called. A closure without
// parameters whose result is generic has one representation with isolation and without. The structs give both types of a
// closure with parameters the same representation. Factories have structs of their own, because each call of a closure costs
// thirty instructions more if its representation has all parameters in a pack.

/// Returns a closure without its isolation.
///
/// It must be called only where the current code is isolated to its actor.
@inlinable
@inline(__always)
func withoutIsolation<Value>(
  _ function: @escaping @isolated(any) @Sendable () throws -> Value
) -> () throws -> Value {
  unsafe unsafeBitCast(function, to: (() throws -> Value).self)
}

/// Returns a closure without its isolation.
///
/// It must be called only where the current code is isolated to its actor.
@inlinable
@inline(__always)
func withoutIsolation<Value>(
  _ function: @escaping @isolated(any) @Sendable (Resolver) throws -> Value
) -> (Resolver) throws -> Value {
  unsafe unsafeBitCast(IsolatedFactory(call: function), to: PlainFactory<Value>.self).call
}

/// Returns a closure without its isolation.
///
/// It must be called only where the current code is isolated to its actor.
@inlinable
@inline(__always)
func withoutIsolation<Value, each Argument>(
  factory: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value
) -> (Resolver, repeat each Argument) throws -> Value {
  unsafe unsafeBitCast(
    IsolatedArgumentFactory(call: factory), to: PlainArgumentFactory<Value, repeat each Argument>.self
  ).call
}

/// Returns a closure without its isolation.
///
/// It must be called only where the current code is isolated to its actor.
@inlinable
@inline(__always)
func withoutIsolation<Value, each Parameter>(
  _ function: @escaping @isolated(any) @Sendable (repeat each Parameter) throws -> Value
) -> (repeat each Parameter) throws -> Value {
  unsafe unsafeBitCast(IsolatedFunction(call: function), to: PlainFunction<Value, repeat each Parameter>.self).call
}

/// Returns an asynchronous closure without its isolation.
///
/// The closure hops to its actor by itself.
func withoutIsolation<Value, each Parameter>(
  _ function: @escaping @isolated(any) @Sendable (repeat each Parameter) async throws -> Value
) -> @concurrent @Sendable (repeat each Parameter) async throws -> Value {
  unsafe unsafeBitCast(
    IsolatedAsyncFunction(call: function), to: PlainAsyncFunction<Value, repeat each Parameter>.self
  )
  .call
}

// Closures of any isolation.

@usableFromInline
@frozen
struct IsolatedFactory<Value> {
  @usableFromInline
  let call: @isolated(any) @Sendable (Resolver) throws -> Value

  @inlinable
  init(call: @escaping @isolated(any) @Sendable (Resolver) throws -> Value) { self.call = call }
}

@usableFromInline
@frozen
struct IsolatedArgumentFactory<Value, each Argument> {
  @usableFromInline
  let call: @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value

  @inlinable
  init(call: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value) { self.call = call }
}

@usableFromInline
@frozen
struct IsolatedFunction<Value, each Parameter> {
  @usableFromInline
  let call: @isolated(any) @Sendable (repeat each Parameter) throws -> Value

  @inlinable
  init(call: @escaping @isolated(any) @Sendable (repeat each Parameter) throws -> Value) { self.call = call }
}

struct IsolatedAsyncFunction<Value, each Parameter> {
  let call: @isolated(any) @Sendable (repeat each Parameter) async throws -> Value
}

// Closures without isolation.

@usableFromInline
@frozen
struct PlainFactory<Value> {
  @usableFromInline
  let call: (Resolver) throws -> Value
}

@usableFromInline
@frozen
struct PlainArgumentFactory<Value, each Argument> {
  @usableFromInline
  let call: (Resolver, repeat each Argument) throws -> Value
}

@usableFromInline
@frozen
struct PlainFunction<Value, each Parameter> {
  @usableFromInline
  let call: (repeat each Parameter) throws -> Value
}

struct PlainAsyncFunction<Value, each Parameter> {
  let call: @concurrent @Sendable (repeat each Parameter) async throws -> Value
}
