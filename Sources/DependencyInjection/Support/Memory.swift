public import Synchronization

/// Memory for an instance, which a factory or a table initializes.
///
/// It has room for the instance, and for at least six words: a table stores six words whatever the type is.
@safe
@usableFromInline
@frozen
struct InstanceMemory {
  @usableFromInline
  let pointer: UnsafeMutableRawPointer

  /// Creates a reference to uninitialized memory.
  ///
  /// - Parameter pointer: The memory, with room for six words and for an instance.
  @unsafe
  @inlinable
  @inline(__always)
  init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }

  /// Initializes the memory with the result of a closure.
  @inlinable
  @inline(__always)
  func initialize<Value, Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) {
    // Sound: every caller of a factory provides memory for an instance of the registration's type.
    unsafe pointer.assumingMemoryBound(to: Value.self).initialize(to: try make())
  }

  /// Six words, aligned on the stack so that they are stored in pairs.
  @usableFromInline
  typealias Words = (SIMD2<UInt>, SIMD2<UInt>, SIMD2<UInt>)

  /// Returns the value with which a closure initializes memory on the stack of the caller.
  @inlinable
  @inline(__always)
  static func value<Value, Failure: Error>(
    _ initialize: (InstanceMemory) throws(Failure) -> Void
  ) throws(Failure) -> Value {
    if MemoryLayout<Value>.size <= MemoryLayout<Words>.size,
      MemoryLayout<Value>.alignment <= MemoryLayout<Words>.alignment
    {
      // Sound: a cell stays at its address until the scope ends, and has nothing to release.
      let words = _Cell<Words>((.zero, .zero, .zero))
      defer { extendLifetime(words) }
      let memory = unsafe InstanceMemory(words._address)
      try initialize(memory)
      return memory.move()
    }
    return try withMemory(for: Value.self) { memory throws(Failure) in
      try initialize(memory)
      return memory.move()
    }
  }

  /// Returns the value with which a closure initializes memory, or nil if it returns false and initializes nothing.
  @inlinable
  static func optionalValue<Value>(_ initialize: (InstanceMemory) -> Bool) -> Value? {
    withMemory(for: Value.self) { memory -> Value? in initialize(memory) ? .some(memory.move()) : .none }
  }

  /// Moves the value out of the memory, which must have been initialized with a `Value`.
  @_transparent
  @usableFromInline
  func move<Value>() -> Value { unsafe pointer.bindMemory(to: Value.self, capacity: 1).move() }

  /// Calls a closure with memory for a value of any size.
  @inlinable
  static func withMemory<Value, Result, Failure: Error>(
    for _: Value.Type, _ body: (InstanceMemory) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeTemporaryAllocation(
      byteCount: max(MemoryLayout<Words>.size, MemoryLayout<Value>.size),
      alignment: max(MemoryLayout<Words>.alignment, MemoryLayout<Value>.alignment)
    ) { buffer throws(Failure) in
      try body(unsafe InstanceMemory(buffer.baseAddress.unsafelyUnwrapped))
    }
  }
}

/// A value of any type behind one reference.
///
/// Deliberately not generic: creating the metadata of a generic class takes about 3 µs for every type with which it is
/// first used.
@safe
@usableFromInline
final class Box: @unchecked Sendable {
  // Unchecked: everything is written before another thread gets the box, and only read afterward. The registration
  // decides whether threads may share the value, as the documentation of `Shared` says.

  /// The type of the value.
  let type: Any.Type

  /// Six words of raw storage, which never move, for most values.
  ///
  /// They are aligned as words only, because the runtime takes several times as many steps to allocate an object with
  /// another alignment.
  private let words = _Cell<(UInt, UInt, UInt, UInt, UInt, UInt)>((0, 0, 0, 0, 0, 0))
  /// The memory of a value that does not fit into the words.
  private let large: InstanceMemory?
  /// A Boolean value that indicates whether the memory has a value, which is destroyed with the box.
  @safe @exclusivity(unchecked)
  var isFull = false

  /// The instance as each alias of its registration; nil for an alias to which it does not conform.
  ///
  /// The thread that creates the instance sets them.
  var views: [Box?] = []

  /// Boxes a value.
  @usableFromInline
  convenience init<Value>(_ value: Value) { self.init(Value.self) { $0.initialize { value } } }

  /// Boxes the value of a type with which a closure initializes memory.
  convenience init(_ type: Any.Type, _ initialize: (InstanceMemory) throws -> Void) rethrows {
    self.init(empty: type)
    try initialize(memory)
    isFull = true
  }

  /// Creates a box whose memory is initialized next.
  init(empty type: Any.Type) {
    self.type = type
    let (value, words) = (layout(of: type), MemoryLayout<InstanceMemory.Words>.self)
    let isLarge = value.size > words.size || value.alignment > MemoryLayout<UInt>.alignment
    large =
      unsafe isLarge
      ? InstanceMemory(
        .allocate(byteCount: max(value.size, words.size), alignment: max(value.alignment, words.alignment))) : nil
  }

  deinit {
    func destroy<Value>(_: Value.Type) {
      unsafe memory.pointer.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
    if isFull { _openExistential(type, do: destroy) }
    unsafe large?.pointer.deallocate()
  }

  /// The memory of the value.
  var memory: InstanceMemory {
    if let large { return large }
    return unsafe InstanceMemory(words._address)
  }

  /// Returns a copy of the value, which must have been boxed as a `Value`.
  func value<Value>(as _: Value.Type = Value.self) -> Value {
    // Sound: the memory was initialized as this type. Every caller compares `type`, or uses it as a key.
    unsafe memory.pointer.assumingMemoryBound(to: Value.self).pointee
  }

  /// A copy of the value.
  var value: Any {
    func copy<Value>(_: Value.Type) -> Any { value(as: Value.self) }
    return _openExistential(type, do: copy)
  }

  /// Initializes memory for a value of the type with a copy of the value.
  func copy(into target: InstanceMemory) {
    // Sound: the target is for a value of the type, and this memory has one.
    func copy<Value>(_: Value.Type) {
      unsafe target.pointer.assumingMemoryBound(to: Value.self).initialize(to: value(as: Value.self))
    }
    _openExistential(type, do: copy)
  }

  /// Returns a box of the value as another type, or nil if it does not have that type.
  func cast(to type: Any.Type) -> Box? {
    func cast<Other>(_: Other.Type) -> Box? { (value as? Other).map { Box($0) } }
    return _openExistential(type, do: cast)
  }

  /// The value, if it is an instance of a class.
  var object: AnyObject? {
    guard let type = dynamicType as? AnyObject.Type else { return nil }
    // Cast to the class itself: `as AnyObject` may wrap an existential in the box in another object.
    func object<Object: AnyObject>(_: Object.Type) -> AnyObject? { value as? Object }
    return _openExistential(type, do: object)
  }

  /// The dynamic type of the value, which an existential type does not show.
  var dynamicType: Any.Type { Swift.type(of: value) }
}

/// The address of memory that outlives all users of the address: memory that several threads share, or a frame on the
/// stack of one thread.
///
/// Unlike a variable, the memory never moves, so any thread may use atomics in it.
@safe
struct StablePointer<Pointee: ~Copyable>: @unchecked Sendable {
  // Unchecked and sound: the memory holds atomics and constants, or a lock guards it, or it belongs to the calling
  // thread.
  let pointer: UnsafeMutablePointer<Pointee>

  @_transparent
  init(_ pointer: UnsafeMutablePointer<Pointee>) { unsafe self.pointer = pointer }

  @_transparent
  var address: UInt { unsafe UInt(bitPattern: pointer) }

  // Sound: the memory is initialized, and it exists as long as any code has its address. Addressors, because a coroutine
  // costs more than what is read.
  var pointee: Pointee {
    @_transparent unsafeAddress { unsafe UnsafePointer(pointer) }
    @_transparent nonmutating unsafeMutableAddress { unsafe pointer }
  }
}

/// An uncounted reference to an object that lives at least as long as the reference is used.
///
/// Loading a counted reference costs two locked instructions, which is more than everything else that a resolution
/// does. The code that creates an uncounted reference knows what keeps the object alive.
@safe
@frozen
@usableFromInline
struct Unowned<Object: AnyObject> {
  private let reference: Unmanaged<Object>

  @_transparent
  init(_ object: Object) { unsafe reference = .passUnretained(object) }

  /// Creates a reference to the object at an address.
  @_transparent
  init(address: UInt) { self = unsafe unsafeBitCast(address, to: Self.self) }

  /// The address of the object.
  @_transparent
  var address: UInt { unsafe UInt(bitPattern: reference.toOpaque()) }

  /// The object, as a counted reference.
  @_transparent
  var object: Object { unsafe reference.takeUnretainedValue() }

  /// Retains the object, until `release()`.
  @_transparent
  func retain() { _ = unsafe reference.retain() }

  @_transparent
  func release() { unsafe reference.release() }

  /// Calls a closure with the object, without counting a reference.
  @_transparent
  func borrow<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe reference._withUnsafeGuaranteedRef(body)
  }
}

extension Unowned: Sendable where Object: Sendable {}
