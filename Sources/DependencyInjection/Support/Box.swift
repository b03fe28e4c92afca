/// A value of any type behind one reference.
///
/// Not generic on purpose: a generic class costs its metadata, about 3 µs, for every type it is first used with.
@safe
@usableFromInline
final class Box: @unchecked Sendable {
  // Unchecked: the storage is written once in `init` and read only afterwards. Whether the value may be shared between
  // threads is what a Shared registration says.

  /// The type of the value.
  let type: Any.Type

  /// Where the value is.
  let storage: UnsafeMutableRawPointer

  /// Boxes a value.
  init<Value>(_ value: Value) {
    type = Value.self
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe memory.initialize(to: value)
    unsafe storage = UnsafeMutableRawPointer(memory)
  }

  /// Boxes the value of a type that a closure stores in memory for it.
  init<Failure: Error>(_ type: Any.Type, _ initialize: (InstanceMemory) throws(Failure) -> Void) throws(Failure) {
    func allocate<Value>(_: Value.Type) -> UnsafeMutableRawPointer {
      UnsafeMutableRawPointer(UnsafeMutablePointer<Value>.allocate(capacity: 1))
    }
    let memory = unsafe _openExistential(type, do: allocate)
    do {
      // Sound: the memory is for a value of the type.
      try initialize(unsafe InstanceMemory(memory))
    } catch {
      unsafe memory.deallocate()
      throw error
    }
    self.type = type
    unsafe storage = memory
  }

  deinit {
    func destroy<Value>(_: Value.Type) {
      unsafe storage.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
    _openExistential(type, do: destroy)
    unsafe storage.deallocate()
  }

  /// A copy of the value, which must have been boxed as a `Value`.
  func value<Value>(as _: Value.Type = Value.self) -> Value {
    // Sound: the storage was initialised as this type; every caller compares `type` or keys by it.
    unsafe storage.assumingMemoryBound(to: Value.self).pointee
  }

  /// A copy of the value.
  var value: Any {
    func copy<Value>(_: Value.Type) -> Any { value(as: Value.self) }
    return _openExistential(type, do: copy)
  }

  /// Initializes memory for a value of the type with a copy of the value.
  func copy(into memory: InstanceMemory) {
    func copy<Value>(_: Value.Type) {
      // Sound: the storage has a value of the type, and the memory is for one.
      unsafe memory.pointer.assumingMemoryBound(to: Value.self)
        .initialize(to: storage.assumingMemoryBound(to: Value.self).pointee)
    }
    _openExistential(type, do: copy)
  }

  /// The value as another type, or nil if it is none.
  func cast(to type: Any.Type) -> Box? {
    func open<Value>(_: Value.Type) -> Box? {
      func cast<Other>(_: Other.Type) -> Box? { (value(as: Value.self) as? Other).map { Box($0) } }
      return _openExistential(type, do: cast)
    }
    return _openExistential(self.type, do: open)
  }

  /// The value, if it is an instance of a class.
  var object: AnyObject? {
    guard let type = dynamicType as? AnyObject.Type else { return nil }
    func open<Value>(_: Value.Type) -> AnyObject? {
      // Cast to the class itself: what an `as AnyObject` makes of an existential in the box may be something around it.
      func object<Object: AnyObject>(_: Object.Type) -> AnyObject? { value(as: Value.self) as? Object }
      return _openExistential(type, do: object)
    }
    return _openExistential(self.type, do: open)
  }

  /// The type of the instance in the box, which an existential type does not tell.
  var dynamicType: Any.Type {
    func dynamicType<Value>(_: Value.Type) -> Any.Type { Swift.type(of: value(as: Value.self) as Any) }
    return _openExistential(type, do: dynamicType)
  }
}
