/// The representation of a value in a cell: the kind, the words, and the object to which readers claim references.
struct CellLayout {
  let kind: Cell.Kind
  var words: CellWords = (0, 0, 0, 0, 0)

  /// The instance, the `Box` or the `Definition`; nil for a trivial value.
  var object: AnyObject?

  /// The key of the cell, and the keys on which the instance depends.
  var dependencies = KeyFilter()

  /// Creates the layout of a cell that calls a factory.
  init(factory definition: Definition) {
    kind = .factory
    object = definition
  }

  /// Creates the layout of the value in a box, as the type that it was boxed as.
  init(of box: Box) {
    func layout<Value>(_: Value.Type) -> CellLayout { CellLayout(box.value(as: Value.self), in: box) }
    self = _openExistential(box.type, do: layout)
  }

  /// Creates the layout of a value of the static type `Value`.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - box: A box that already holds the value, for a cell that needs a box.
  init<Value>(_ value: Value, in box: Box? = nil) {
    let size = MemoryLayout<Value>.size
    let wordSize = MemoryLayout<UInt>.size
    var image = (UInt(0), UInt(0), UInt(0), UInt(0), UInt(0), UInt(0))
    if size <= 6 * wordSize {
      // Only the bytes are read, never a value of the type, so nothing is retained or released.
      unsafe withUnsafeBytes(of: value) { bytes in
        unsafe withUnsafeMutableBytes(of: &image) { unsafe $0.copyMemory(from: bytes) }
      }
    }
    if MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment {
      if _isPOD(Value.self) {
        if size <= 5 * wordSize {
          kind = .trivial
          words = (image.0, image.1, image.2, image.3, image.4)
          return
        }
      } else if size <= 6 * wordSize {
        let isExistential = MetadataKind(of: Value.self) == .existential
        // An existential that could also hold a struct begins with a buffer of three words, and the type of what is in it.
        let hasBuffer = isExistential && !MetadataKind.isClassBound(Value.self)
        if hasBuffer ? Self.isClass(image.3) : isExistential || Value.self is AnyObject.Type {
          kind = .reference
          // The rest of the buffer is undefined.
          words = (hasBuffer ? 0 : image.1, hasBuffer ? 0 : image.2, image.3, image.4, image.5)
          // Sound: the word is a reference, and the value that it comes from is alive.
          object = unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: image.0)!).takeUnretainedValue()
          return
        }
      }
    }
    kind = .boxed
    object = box ?? Box(value)
  }

  /// Returns a value that is one reference, for an instance that is alive and has the class that was laid out.
  func value<Value>(of object: AnyObject, as _: Value.Type) -> Value {
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    var image = (address, words.0, words.1, words.2, words.3, words.4)
    // Sound: these are the bytes of the value, and copying them out retains the instance.
    return withExtendedLifetime(object) {
      unsafe withUnsafePointer(to: &image) {
        unsafe UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee
      }
    }
  }

  /// Returns a Boolean value that indicates whether the buffer in front of a word of an existential holds just the
  /// reference to an instance.
  ///
  /// `type(of:)` cannot answer that. It looks through an existential of a class, which is in the buffer unchanged, with
  /// its witness tables. The word is 0 if there is no such type; that occurs only for an `any Error`.
  private static func isClass(_ word: UInt) -> Bool {
    // Sound: in an existential that has such a word, the word is the metadata of the value in the buffer.
    if word == 0 { return false }
    let type = unsafe withUnsafePointer(to: word) { unsafe UnsafeRawPointer($0).load(as: Any.Type.self) }
    return MetadataKind(of: type) != .existential && type is AnyObject.Type
  }
}
