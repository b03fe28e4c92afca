/// How a value is represented in a cell: the kind of cell, its words, and the object that readers claim references to.
struct CellLayout {
  let kind: Cell.Kind
  var words: CellWords = (0, 0, 0, 0, 0)

  /// The instance, the `Box` or the `Definition`; nil for a trivial value.
  var object: AnyObject?

  /// The key of the cell, and those that the instance depends on.
  var dependencies = KeyFilter()

  /// A cell that calls a factory.
  init(factory definition: Definition) {
    kind = .factory
    object = definition
  }

  /// Lays out the value in a box, as the type that it was boxed as.
  init(of box: Box) {
    func layout<Value>(_: Value.Type) -> CellLayout { CellLayout(box.value(as: Value.self), in: box) }
    self = _openExistential(box.type, do: layout)
  }

  /// Lays out a value of the static type `Value`.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - box: A box that holds the value already, for a cell that needs one.
  init<Value>(_ value: Value, in box: Box? = nil) {
    let size = MemoryLayout<Value>.size
    let wordSize = MemoryLayout<UInt>.size
    var image = (UInt(0), UInt(0), UInt(0), UInt(0), UInt(0), UInt(0))
    if size <= 6 * wordSize {
      // Only the bytes are read, never as a value of the type: nothing is retained or released by this.
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
        switch ReferenceRepresentation(of: Value.self) {
        case .reference:
          kind = .reference
          words = (image.1, image.2, image.3, image.4, image.5)
          object = Self.object(at: image.0)
          return
        case .referenceInBuffer where Self.isClass(image.3):
          kind = .reference
          // The rest of the three words that could hold a struct is undefined.
          words = (0, 0, image.3, image.4, image.5)
          object = Self.object(at: image.0)
          return
        case .referenceInBuffer, .other: break
        }
      }
    }
    kind = .boxed
    object = box ?? Box(value)
  }

  /// Returns a value that is one reference, for an instance that is alive and of the class that was laid out.
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

  /// The class instance to which a value's first word is the reference.
  private static func object(at word: UInt) -> AnyObject {
    // Sound: the caller knows that the word is one, and the value that it is from is alive.
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: word)!).takeUnretainedValue()
  }

  /// Returns whether a word of an existential says that the buffer before it holds just the reference to an instance.
  ///
  /// `type(of:)` does not tell: it looks through an existential of a class that is in the buffer as it is, with its
  /// witness tables. The word is 0 if there is none, which is so only for an `any Error`.
  private static func isClass(_ word: UInt) -> Bool {
    // Sound: in an existential that has such a word it is the metadata of what the buffer holds.
    if word == 0 { return false }
    let type = unsafe withUnsafePointer(to: word) { unsafe UnsafeRawPointer($0).load(as: Any.Type.self) }
    return MetadataKind(of: type) != .existential && type is AnyObject.Type
  }
}

/// How values of a type that hold a class instance are represented.
private enum ReferenceRepresentation {
  /// The reference, followed by the witness tables of an existential that only classes can be in.
  case reference

  /// The reference in a buffer of three words, followed by the type of what is in it and witness tables.
  case referenceInBuffer

  /// In some other way.
  case other

  init(of type: Any.Type) {
    if MetadataKind(of: type) == .existential {
      self = MetadataKind.isClassBound(type) ? .reference : .referenceInBuffer
    } else {
      self = type is AnyObject.Type ? .reference : .other
    }
  }
}
