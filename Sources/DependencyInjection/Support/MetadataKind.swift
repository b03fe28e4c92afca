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
    self.init(rawValue: unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee)
  }

  /// Returns whether only classes can be in an existential type.
  static func isClassBound(_ existential: Any.Type) -> Bool {
    // Sound: the kind of an existential is followed by its flags, of which the highest says that it is not limited to
    // classes.
    let metadata = unsafe unsafeBitCast(existential, to: UnsafePointer<UInt>.self)
    return unsafe UnsafeRawPointer(metadata + 1).load(as: UInt32.self) & 0x8000_0000 == 0
  }
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
    let metadata = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    let flags = unsafe metadata[1] & meaning
    guard flags & ~globalActor == 0 else { return nil }
    result = unsafe unsafeBitCast(metadata[2], to: Any.Type.self)
    if result == Void.self { return nil }
    if flags & globalActor == 0 {
      isolation = nil
    } else {
      guard unsafe unsafeBitCast(metadata[3], to: Any.Type.self) == MainActor.self else { return nil }
      isolation = MainActor.shared
    }
  }
}
