/// The kind of a type, from the first word of its metadata.
///
/// The listed kinds, and the flags of an existential, are part of the stable ABI of Swift on Apple platforms, and are
/// the same on other platforms. All code that reads metadata is in this file.
@usableFromInline
enum MetadataKind: UInt {
  case structure = 0x200
  case optional = 0x202

  /// A class of Core Foundation, to which an instance of another class may belong: an `NSString` is a `CFString`.
  case foreignClass = 0x203

  case tuple = 0x301
  case function = 0x302
  case existential = 0x303
  case metatype = 0x304
  /// A class that is declared in Objective-C.
  case objectiveCClass = 0x305
  /// A protocol with arguments, as in `any Store<Int>`.
  case constrainedExistential = 0x307

  /// Returns a Boolean value that indicates whether this is the kind of a type.
  @_transparent
  func isKind(of type: Any.Type) -> Bool {
    // Sound: the metadata of every type starts with its kind.
    unsafe metadata(of: type).load(as: UInt.self) == rawValue
  }

  /// Returns a Boolean value that indicates whether the values of a type are references to instances of classes.
  @_transparent
  static func isClass(_ type: Any.Type) -> Bool {
    // Sound: the metadata of every type starts with its kind. Without Objective-C, the kind of a class is 0. With it,
    // the word is an address, which is above all kinds.
    let kind = unsafe metadata(of: type).load(as: UInt.self)
    return kind == 0 || kind > 0x7FF || kind == foreignClass.rawValue || kind == objectiveCClass.rawValue
  }

  /// Returns a Boolean value that indicates whether a type is an existential type.
  static func isExistential(_ type: Any.Type) -> Bool {
    existential.isKind(of: type) || constrainedExistential.isKind(of: type)
  }

  /// Returns a Boolean value that indicates whether an existential type is limited to classes.
  @_transparent
  static func isClassBound(_ existential: Any.Type) -> Bool {
    // Sound: the kind of an existential is followed by its flags. The highest flag is set if the type is not limited to
    // classes.
    unsafe metadata(of: existential).load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt32.self) & 0x8000_0000 == 0
  }

  /// Returns a word of the metadata of a type; the first one is the kind.
  fileprivate static func word(_ index: Int, of type: Any.Type) -> UInt {
    // Sound: every caller knows the layout of the metadata.
    unsafe metadata(of: type).load(fromByteOffset: index * MemoryLayout<UInt>.size, as: UInt.self)
  }

  /// Returns the type whose metadata has an address.
  fileprivate static func type(at address: UInt) -> Any.Type { unsafe unsafeBitCast(address, to: Any.Type.self) }
}

/// Returns the metadata of a type, whose address is the identifier of the type.
@_transparent
private func metadata(of type: Any.Type) -> UnsafeRawPointer {
  unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
}

/// Returns the elements of a tuple type with their offsets, or the type itself if it is not a tuple.
func tupleElements(of type: Any.Type) -> [(type: Any.Type, offset: Int)] {
  guard MetadataKind.tuple.isKind(of: type) else { return [(type, 0)] }
  // The kind is followed by the number of elements, their labels, and the type and the offset of each.
  return (0..<Int(MetadataKind.word(1, of: type))).map { index in
    let offset = UInt32(truncatingIfNeeded: MetadataKind.word(4 + 2 * index, of: type))
    return (MetadataKind.type(at: MetadataKind.word(3 + 2 * index, of: type)), Int(offset))
  }
}

/// Returns the type of the elements of a sequence, or of the values of a dictionary, without optionals; nil for any
/// other type.
///
/// A sequence is a struct that conforms to `Sequence` and is not a string.
func elementType(of sequence: Any.Type) -> Any.Type? {
  func element<S: Sequence>(_: S.Type) -> Any.Type? { tupleElements(of: S.Element.self).last?.type }
  // The kind is checked first, because the search for a conformance takes longer the more types there are.
  guard MetadataKind.structure.isKind(of: sequence), let sequence = sequence as? any Sequence.Type,
    !(sequence is any StringProtocol.Type)
  else { return nil }
  return element(sequence).map(wrappedType)
}

/// The layout of the values of a type, and whether copying a value copies its bytes and nothing else.
typealias TypeLayout = (size: Int, alignment: Int, isTrivial: Bool)

/// Returns the layout of the values of a type.
func layout(of type: Any.Type) -> TypeLayout {
  func layout<Value>(_: Value.Type) -> TypeLayout {
    (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment, _isPOD(Value.self))
  }
  return _openExistential(type, do: layout)
}

/// Returns the type that an optional type wraps, if it is a class or an existential type.
///
/// In memory, nil then consists of zeros, and any other value is a value of the wrapped type.
func wrappedReference(_ optional: Any.Type) -> Any.Type? {
  let wrapped = MetadataKind.type(at: MetadataKind.word(2, of: optional))
  // Most optionals wrap a protocol.
  if _fastPath(MetadataKind.existential.isKind(of: wrapped)) { return wrapped }
  return MetadataKind.isClass(wrapped) ? wrapped : nil
}

/// Returns the type that an optional type wraps, if a value has the same memory as both types; otherwise the optional
/// type.
@inline(never)
func wrappedOfSameLayout(_ optional: Any.Type) -> Any.Type {
  if let reference = wrappedReference(optional) { return reference }
  let wrapped = MetadataKind.type(at: MetadataKind.word(2, of: optional))
  return layout(of: wrapped).size == layout(of: optional).size ? wrapped : optional
}

/// The requirements that every `Optional` type fulfills.
protocol AnyOptional {
  /// The wrapped type, which is not optional: `Int` for an `Int??`.
  static var wrappedType: Any.Type { get }

  /// The name of the optional type, with question marks.
  static var name: String { get }

  /// A box of the optional without a value.
  static var none: Box { get }

  /// Returns a box of the value that the optional in a box wraps, or nil if the optional, or one in it, is nil.
  static func unwrap(_ box: Box) -> Box?

  /// Returns a box of the value in a box of the wrapped type, wrapped in as many optionals as this type has.
  static func wrap(_ box: Box) -> Box
}

extension Optional: AnyOptional {
  static var wrappedType: Any.Type { asOptional(Wrapped.self)?.wrappedType ?? Wrapped.self }

  static var name: String {
    (asOptional(Wrapped.self)?.name ?? inParentheses(displayName(Wrapped.self), Wrapped.self)) + "?"
  }

  static var none: Box { Box(Self.none as Self) }

  static func unwrap(_ box: Box) -> Box? { box.value(as: Self.self).flatMap { Box($0).unwrapped } }

  static func wrap(_ box: Box) -> Box { Box(Self.some((asOptional(Wrapped.self)?.wrap(box) ?? box).value())) }
}

extension Box {
  /// A box of the value that an optional in the box wraps, or nil if the optional is nil; the box itself if it does not
  /// hold an optional.
  var unwrapped: Box? { asOptional(type).map { $0.unwrap(self) } ?? self }
}

/// Returns a type as an optional type, or nil if it is not one.
///
/// The kind is checked first, because the search for a conformance takes longer the more types there are.
func asOptional(_ type: Any.Type) -> (any AnyOptional.Type)? {
  MetadataKind.optional.isKind(of: type) ? type as? any AnyOptional.Type : nil
}

/// Returns the type that a request for a type looks for: a request for an `A?` looks for an `A`.
package func wrappedType(of type: Any.Type) -> Any.Type { asOptional(type)?.wrappedType ?? type }

/// Returns a Boolean value that indicates whether a type is the same as another type, inherits from it, or conforms to
/// it; false for a protocol that is private or local, or that has arguments.
package func isSubtype(_ type: Any.Type, of other: Any.Type) -> Bool {
  func isInstance<Metatype>(of _: Metatype.Type) -> Bool { type is Metatype }
  func inherits<Class>(from _: Class.Type) -> Bool { type is Class.Type }
  if type == other { return true }
  if other is AnyClass { return _openExistential(other, do: inherits) }
  // The suffix turns the protocol into the metatype of all conforming types.
  guard MetadataKind.isExistential(other), let name = _mangledTypeName(other),
    let conforming = _typeByName(name + "Xp")
  else { return false }
  return _openExistential(conforming, do: isInstance)
}

/// Returns the stored properties of a class and of its superclasses, with their offsets, as the runtime reflects them.
///
/// It reads no property, and runs no user code.
func storedProperties(of type: AnyClass) -> [(type: Any.Type, offset: Int)] {
  (0..<fieldCount(type)).map { index in
    var description: FieldDescription = (nil, nil, false, false)
    let fieldType = unsafe fieldType(type, index, &description)
    unsafe description.free?(description.name)
    return (fieldType, fieldOffset(type, index))
  }
}

/// The runtime's description of a property, apart from its type.
///
/// Sound: a tuple of these types has the layout of the runtime's structure, two pointers and two truth values.
private typealias FieldDescription = (
  name: UnsafePointer<CChar>?, free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?, isStrong: Bool, isVariable: Bool
)

// The functions that `Mirror` calls.

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(_ type: Any.Type, _ index: Int, _ description: UnsafeMutablePointer<FieldDescription>)
  -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: Any.Type, _ index: Int) -> Int
