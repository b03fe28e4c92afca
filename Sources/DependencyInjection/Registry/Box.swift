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
  @usableFromInline
  let storage: UnsafeMutableRawPointer

  private let destroy: (UnsafeMutableRawPointer) -> Void

  init<Value>(_ value: consuming Value) {
    type = Value.self
    unsafe storage = .allocate(
      byteCount: max(MemoryLayout<Value>.size, 1), alignment: MemoryLayout<Value>.alignment)
    unsafe storage.initializeMemory(as: Value.self, to: value)
    unsafe destroy = { unsafe $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
  }

  deinit {
    unsafe destroy(storage)
    unsafe storage.deallocate()
  }

  /// A copy of the value, which must have been boxed as a `Value`.
  @inlinable
  func value<Value>(as _: Value.Type = Value.self) -> Value {
    // Sound: the storage was initialised as this type; every caller compares `type` or keys by it.
    unsafe storage.assumingMemoryBound(to: Value.self).pointee
  }

  /// The type of the instance in the box, which an existential type does not tell.
  var dynamicType: Any.Type {
    func dynamicType<Value>(_: Value.Type) -> Any.Type { Swift.type(of: value(as: Value.self) as Any) }
    return _openExistential(type, do: dynamicType)
  }
}
