/// A value of any type behind one reference.
///
/// Deliberately not generic: a generic class costs its metadata, about 3 µs, for every type with which it is first
/// used.
@safe
final class Box: @unchecked Sendable {
  // Unchecked: the memory is written once in `init` and only read afterwards. The registration decides whether threads
  // may share the value, as the documentation of `Shared` says.
  /// The type of the value.
  let type: Any.Type

  /// The memory of the value.
  let memory: InstanceMemory

  /// Boxes a value.
  convenience init<Value>(_ value: Value) {
    self.init(Value.self) { memory in memory.initialize { value } }
  }

  /// Boxes a copy of a value in memory.
  convenience init(copying source: InstanceMemory, as type: Any.Type) {
    func copy<Value>(_: Value.Type) -> (InstanceMemory) -> Void {
      // Sound: the memory has a value of the type.
      { target in target.initialize { unsafe source.pointer.assumingMemoryBound(to: Value.self).pointee } }
    }
    self.init(type, _openExistential(type, do: copy))
  }

  /// Boxes a value of a type that a closure stores in memory.
  init<Failure: Error>(_ type: Any.Type, _ initialize: (InstanceMemory) throws(Failure) -> Void) throws(Failure) {
    let (layout, words) = (TypeLayout(of: type), MemoryLayout<InstanceMemory.Words>.self)
    let pointer = UnsafeMutableRawPointer.allocate(
      byteCount: max(layout.size, words.size), alignment: max(layout.alignment, words.alignment))
    // Sound: the memory is for a value of the type.
    let memory = unsafe InstanceMemory(pointer)
    do {
      try initialize(memory)
    } catch {
      unsafe pointer.deallocate()
      throw error
    }
    // Set last: an initializer that throws later would run `deinit`.
    (self.type, self.memory) = (type, memory)
  }

  deinit {
    func destroy<Value>(_: Value.Type) {
      unsafe memory.pointer.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
    _openExistential(type, do: destroy)
    unsafe memory.pointer.deallocate()
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
    func copy<Value>(_: Value.Type) { target.initialize { value(as: Value.self) } }
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
