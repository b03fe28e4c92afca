/// The kind of a type, from the first word of its metadata.
///
/// The listed kinds, and the flags of an existential, are part of the stable ABI of Swift on Apple platforms, and are
/// the same on other platforms. All code that reads metadata is in this file.
@usableFromInline
enum MetadataKind: UInt {
  case structure = 0x200
  case enumeration = 0x201
  case optional = 0x202

  /// A class of Core Foundation, to which an instance of another class may belong: an `NSString` is a `CFString`.
  case foreignClass = 0x203

  case function = 0x302
  case existential = 0x303
  /// A class that is declared in Objective-C.
  case objectiveCClass = 0x305

  /// Creates the kind of a type, or nil for a kind that is not listed.
  @usableFromInline
  init?(of type: Any.Type) {
    // Sound: the metadata of every type starts with its kind.
    self.init(rawValue: unsafe metadata(of: type).load(as: UInt.self))
  }

  /// Returns a Boolean value that indicates whether the values of a type are references to instances of classes.
  static func isClass(_ type: Any.Type) -> Bool {
    // Sound: the metadata of every type starts with its kind. Where there is no Objective-C, that of a class is 0. Where
    // there is, it is an address, which is above all kinds.
    let kind = unsafe metadata(of: type).load(as: UInt.self)
    return kind == 0 || kind > 0x7FF || kind == foreignClass.rawValue || kind == objectiveCClass.rawValue
  }

  /// Returns a Boolean value that indicates whether an existential type is limited to classes.
  static func isClassBound(_ existential: Any.Type) -> Bool {
    // Sound: the kind of an existential is followed by its flags. The highest flag is set if the type is not limited to
    // classes.
    unsafe metadata(of: existential).load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt32.self) & 0x8000_0000 == 0
  }
}

/// Returns the metadata of a type, whose address is the identifier of the type.
private func metadata(of type: Any.Type) -> UnsafeRawPointer {
  unsafe UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type))).unsafelyUnwrapped
}

/// The layout of the values of a type.
struct TypeLayout {
  let size: Int
  let alignment: Int
  /// A Boolean value that indicates whether copying a value copies its bytes and nothing else.
  let isTrivial: Bool

  init(of type: Any.Type) {
    func layout<Value>(_: Value.Type) -> TypeLayout {
      TypeLayout(
        size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment, isTrivial: _isPOD(Value.self))
    }
    self = _openExistential(type, do: layout)
  }

  private init(size: Int, alignment: Int, isTrivial: Bool) {
    (self.size, self.alignment, self.isTrivial) = (size, alignment, isTrivial)
  }
}
