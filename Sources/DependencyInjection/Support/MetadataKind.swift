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

  /// Creates the kind of a type, or nil for a kind that is not listed.
  @usableFromInline
  init?(of type: Any.Type) {
    // Sound: the metadata of every type starts with its kind.
    self.init(rawValue: unsafe metadata(of: type).load(as: UInt.self))
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

/// The type of a function without parameters that returns synchronously and may be called on any thread, or on the main
/// actor.
struct FunctionType {
  let result: Any.Type
  let isolation: (any Actor)?

  /// - Parameter type: The type of a function.
  init?(_ type: Any.Type) {
    // The flags describe how the function is called: the number of its parameters, its convention, and everything
    // unusual, of which only a global actor is supported here. Throwing, escaping, and `Sendable` do not matter.
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
