/// The kind of a type, from the first word of its metadata.
///
/// The kinds that are listed, and the flags of an existential, are part of the stable ABI of Swift on Apple platforms, and
/// the same elsewhere. Everything that reads metadata is in this file.
@usableFromInline
enum MetadataKind: UInt {
  case structure = 0x200
  case enumeration = 0x201
  case optional = 0x202
  case function = 0x302
  case existential = 0x303

  /// The kind of a type; nil for all kinds that are not listed.
  @usableFromInline
  init?(of type: Any.Type) {
    // Sound: the metadata of every type starts with its kind.
    self.init(rawValue: unsafe metadata(of: type).load(as: UInt.self))
  }

  /// Returns whether only classes can be in an existential type.
  static func isClassBound(_ existential: Any.Type) -> Bool {
    // Sound: the kind of an existential is followed by its flags, of which the highest says that it is not limited to
    // classes.
    unsafe metadata(of: existential).load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt32.self) & 0x8000_0000 == 0
  }
}

/// The metadata of a type, which the identifier of the type is the address of.
private func metadata(of type: Any.Type) -> UnsafeRawPointer {
  unsafe UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type))).unsafelyUnwrapped
}

/// The type of a function that takes nothing, returns at once and may be called on any thread, or on the main actor.
struct FunctionType {
  let result: Any.Type
  let isolation: (any Actor)?

  /// - Parameter type: The type of a function.
  init?(_ type: Any.Type) {
    // The flags that say how it is called: the number of its parameters, its convention, and everything unusual, of
    // which a global actor is the only one that is known here. Throwing, escaping and `Sendable` do not matter.
    let (meaning, globalActor): (UInt, UInt) = (0xFFFF_FFFF & ~0x4500_0000, 0x1000_0000)
    // Sound: the kind is followed by the flags, the type of the result, and that of a global actor if there is one.
    let metadata = unsafe metadata(of: type)
    let word = MemoryLayout<UInt>.size
    let flags = unsafe metadata.load(fromByteOffset: word, as: UInt.self) & meaning
    guard flags & ~globalActor == 0 else { return nil }
    result = unsafe metadata.load(fromByteOffset: 2 * word, as: Any.Type.self)
    if result == Void.self { return nil }
    if flags & globalActor == 0 {
      isolation = nil
    } else {
      guard unsafe metadata.load(fromByteOffset: 3 * word, as: Any.Type.self) == MainActor.self else { return nil }
      isolation = MainActor.shared
    }
  }
}
