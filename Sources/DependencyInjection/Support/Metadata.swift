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

  case tuple = 0x301
  case function = 0x302
  case existential = 0x303
  case metatype = 0x304
  /// A class that is declared in Objective-C.
  case objectiveCClass = 0x305
  case existentialMetatype = 0x306
  /// A protocol with arguments, as in `any Store<Int>`.
  case constrainedExistential = 0x307

  /// Creates the kind of a type, or nil for a kind that is not listed.
  init?(of type: Any.Type) {
    // Sound: the metadata of every type starts with its kind.
    self.init(rawValue: unsafe metadata(of: type).load(as: UInt.self))
  }

  /// Returns a Boolean value that indicates whether this is the kind of a type.
  @_transparent
  func isKind(of type: Any.Type) -> Bool {
    // Sound: the metadata of every type starts with its kind.
    unsafe metadata(of: type).load(as: UInt.self) == rawValue
  }

  /// Returns a Boolean value that indicates whether the values of a type are references to instances of classes.
  @_transparent
  static func isClass(_ type: Any.Type) -> Bool {
    // Sound: the metadata of every type starts with its kind. Where there is no Objective-C, that of a class is 0. Where
    // there is, it is an address, which is above all kinds.
    let kind = unsafe metadata(of: type).load(as: UInt.self)
    return kind == 0 || kind > 0x7FF || kind == foreignClass.rawValue || kind == objectiveCClass.rawValue
  }

  /// Returns a Boolean value that indicates whether an existential type is limited to classes.
  @_transparent
  static func isClassBound(_ existential: Any.Type) -> Bool {
    // Sound: the kind of an existential is followed by its flags. The highest flag is set if the type is not limited to
    // classes.
    unsafe metadata(of: existential).load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt32.self) & 0x8000_0000 == 0
  }
}

/// Returns the metadata of a type, whose address is the identifier of the type.
@_transparent
private func metadata(of type: Any.Type) -> UnsafeRawPointer {
  unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
}

extension MetadataKind {
  /// Returns a word of the metadata of a type, of which the first is its kind.
  fileprivate static func word(_ index: Int, of type: Any.Type) -> UInt {
    // Sound: every caller knows the layout of the metadata.
    unsafe metadata(of: type).load(fromByteOffset: index * MemoryLayout<UInt>.size, as: UInt.self)
  }

  /// Returns the type whose metadata has an address.
  fileprivate static func type(at address: UInt) -> Any.Type { unsafe unsafeBitCast(address, to: Any.Type.self) }
}

/// Returns the number at an address in metadata, or in what it refers to.
private func load<Number: BitwiseCopyable>(_ address: UInt, as _: Number.Type) -> Number {
  // Sound: every caller knows the layout.
  unsafe UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped.load(as: Number.self)
}

/// The elements of a tuple type with their offsets, or the type itself if it is not a tuple.
func tupleElements(of type: Any.Type) -> [(type: Any.Type, offset: Int)] {
  guard MetadataKind(of: type) == .tuple else { return [(type, 0)] }
  // The kind is followed by the number of elements, their labels, and the type and the offset of each.
  return (0..<Int(MetadataKind.word(1, of: type))).map { index in
    let offset = UInt32(truncatingIfNeeded: MetadataKind.word(4 + 2 * index, of: type))
    return (MetadataKind.type(at: MetadataKind.word(3 + 2 * index, of: type)), Int(offset))
  }
}

/// Returns what the elements of a sequence are, or the values of a dictionary, without optionals; nil for a type that is no
/// sequence: a struct that conforms to `Sequence` and is no text, or an existential type such as `any Collection<Int>`.
func elementType(of sequence: Any.Type) -> Any.Type? {
  func element<S: Sequence>(_: S.Type) -> Any.Type? { tupleElements(of: S.Element.self).last?.type }
  var type: Any.Type?
  // The kind is checked first, because the search for a conformance takes longer the more types there are.
  if MetadataKind.structure.isKind(of: sequence), let sequence = sequence as? any Sequence.Type,
    !(sequence is any StringProtocol.Type)
  {
    type = element(sequence)
  } else if MetadataKind.constrainedExistential.isKind(of: sequence) {
    let (list, all) = (String(reflecting: sequence).drop { $0 != "<" }, ["Sequence", "Collection"])
    let isSequence = all.contains { list.hasPrefix("<Self.Swift.\($0).Element ") }
    type = isSequence ? typeParts(of: sequence).types.first : nil
  }
  return type.map { asOptional($0)?.wrappedType ?? $0 }
}

/// Returns the addresses of the declarations of a type, and the types of which it consists.
func typeParts(of type: Any.Type) -> (declarations: [UInt], types: [Any.Type]) {
  func types(_ range: Range<Int>) -> [Any.Type] { range.map { MetadataKind.type(at: MetadataKind.word($0, of: type)) } }
  switch MetadataKind(of: type) {
  case .structure, .enumeration, .optional:
    let declaration = MetadataKind.word(1, of: type)
    return ([declaration], genericArguments(of: type, at: 2, descriptor: declaration, size: 28))
  case .tuple: return ([], tupleElements(of: type).map(\.type))
  // The result and the parameters, whose number is in the lowest bits of the flags.
  case .function: return ([], types(2..<3 + Int(MetadataKind.word(1, of: type) & 0xFFFF)))
  case .existential:
    // Sound: the kind of an existential type is followed by flags and the number of protocols, by its superclass if the
    // flags say so, and by the protocols, whose lowest bit says whether they are those of Objective-C.
    let flags = UInt(bitPattern: ObjectIdentifier(type)) + UInt(MemoryLayout<UInt>.size)
    let second = 1 + 8 / MemoryLayout<UInt>.size
    let first = load(flags, as: UInt32.self) & 0x4000_0000 != 0 ? second + 1 : second
    let words = (0..<Int(load(flags + 4, as: UInt32.self))).map { MetadataKind.word(first + $0, of: type) }
    return (words.filter { $0 & 1 == 0 }, types(second..<first))
  case .constrainedExistential:
    // Sound: the kind is followed by the shape. That starts with flags, and has the numbers of types and of arguments, which
    // follow the shape in the metadata, if the flags say so. Arguments that are no types make the numbers differ.
    let shape = MetadataKind.word(1, of: type)
    let (count, arguments) = (load(shape + 16, as: UInt16.self), load(shape + 20, as: UInt16.self))
    let hasTypes = load(shape, as: UInt32.self) & 0x2100 == 0x100 && count == arguments
    return ([], types(2..<2 + (hasTypes ? Int(count) : 0)))
  case .metatype, .existentialMetatype: return ([], types(1..<2))
  case .foreignClass, .objectiveCClass: return ([UInt(bitPattern: ObjectIdentifier(type))], [])
  case nil:
    if !MetadataKind.isClass(type) { return ([], []) }
    // The descriptor of a class comes after its kind, its superclass, 24 bytes of numbers, and what Objective-C needs.
    #if canImport(ObjectiveC)
      let first = 5
    #else
      let first = 2
    #endif
    let declaration = MetadataKind.word(first + 24 / MemoryLayout<UInt>.size, of: type)
    // The arguments are the first of the members that the class adds, unless its superclass is in a library that may change.
    if declaration == 0 || load(declaration, as: UInt32.self) & 0x3000_0000 != 0 { return ([declaration], []) }
    let start = load(declaration + 28, as: UInt32.self) - load(declaration + 32, as: UInt32.self)
    return ([declaration], genericArguments(of: type, at: Int(start), descriptor: declaration, size: 44))
  }
}

/// Returns the types that are the generic arguments in the metadata of a type, those in packs included.
private func genericArguments(of type: Any.Type, at start: Int, descriptor: UInt, size: UInt) -> [Any.Type] {
  // Sound: the first word of a descriptor has a flag for generic types. The numbers of parameters and of requirements come
  // after the descriptor and two offsets, with flags for packs; then a byte for each parameter, with its kind and whether the
  // metadata has its argument; then the requirements, of twelve bytes each; then the number of lengths of packs.
  if load(descriptor, as: UInt32.self) & 0x80 == 0 { return [] }
  let header = descriptor + size + 8
  func number(_ offset: UInt) -> UInt { UInt(load(header + offset, as: UInt16.self)) }
  let (count, hasPacks, word) = (number(0), number(6) & 1 != 0, UInt(MemoryLayout<UInt>.size))
  if hasPacks, number((8 + count + 3) / 4 * 4 + 12 * number(2) + 2) != 1 { return [] }
  var (index, types) = (start + (hasPacks ? 1 : 0), [Any.Type]())
  for parameter in 0..<count {
    let flags = load(header + 8 + parameter, as: UInt8.self)
    if flags & 0x80 == 0 { continue }
    let argument = MetadataKind.word(index, of: type)
    index += 1
    if flags == 0x80 { types.append(MetadataKind.type(at: argument)) }
    // The lowest bit of the address of a pack says where it is.
    let elements = flags == 0x81 ? MetadataKind.word(start, of: type) : 0
    types += (0..<elements).map { MetadataKind.type(at: load((argument & ~1) + $0 * word, as: UInt.self)) }
  }
  return types
}

/// Returns a Boolean value that indicates whether Swift wants `any` before a type: a protocol has associated types, or
/// inherits from another protocol, which may have some.
func needsAny(_ type: Any.Type) -> Bool {
  // Sound: a descriptor consists of numbers of four bytes: flags, context, name, the number of requirements in the
  // signature, that of the other requirements, and the offset of the names of associated types. The requirements in
  // the signature follow; the kind of one is in the lowest bits of its flags.
  MetadataKind.existential.isKind(of: type)
    && typeParts(of: type).declarations.contains { descriptor in
      let (count, names) = (load(descriptor + 12, as: UInt32.self), load(descriptor + 20, as: UInt32.self))
      return names != 0 || count > 1 || count == 1 && load(descriptor + 24, as: UInt32.self) & 0x1F != 0x1F
    }
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

/// Returns what an optional type wraps, if that is a class or an existential type: nil consists of zeros then, and any other
/// value is that of the wrapped type.
func wrappedReference(_ optional: Any.Type) -> Any.Type? {
  let wrapped = MetadataKind.type(at: MetadataKind.word(2, of: optional))
  // Most optionals wrap a protocol.
  if _fastPath(MetadataKind.existential.isKind(of: wrapped)) { return wrapped }
  return MetadataKind.isClass(wrapped) ? wrapped : nil
}

/// Returns what an optional type wraps, if that is no optional and a value has the same memory as both types; otherwise the
/// optional type.
@inline(never)
func wrappedOfSameLayout(_ optional: Any.Type) -> Any.Type {
  if let reference = wrappedReference(optional) { return reference }
  let wrapped = MetadataKind.type(at: MetadataKind.word(2, of: optional))
  let isSame = !MetadataKind.optional.isKind(of: wrapped) && layout(of: wrapped).size == layout(of: optional).size
  return isSame ? wrapped : optional
}

/// The requirements that every `Optional` type fulfills.
protocol AnyOptional {
  /// The wrapped type, which is no optional: that of an `Int??` is `Int`.
  static var wrappedType: Any.Type { get }

  /// The name of the optional type, with question marks.
  static var name: String { get }

  /// The optional without a value, in a box.
  static var none: Box { get }

  /// Returns a box of the value that the optional in a box wraps, or nil if the optional, or one in it, is nil.
  static func unwrap(_ box: Box) -> Box?

  /// Returns a box of an optional that wraps the value of the wrapped type in a box, in as many levels as it has.
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
  /// A box of the value that an optional in the box wraps, or nil if the optional is nil; the box itself if it has no
  /// optional.
  var unwrapped: Box? { asOptional(type).map { $0.unwrap(self) } ?? self }
}

/// Returns a type as an optional type, or nil if it is not one.
///
/// The kind is checked first, because the search for a conformance takes longer the more types there are.
func asOptional(_ type: Any.Type) -> (any AnyOptional.Type)? {
  MetadataKind.optional.isKind(of: type) ? type as? any AnyOptional.Type : nil
}

/// Returns a Boolean value that indicates whether a type is another one, inherits from that class, or conforms to that
/// protocol; false for a protocol that is private or local.
package func isSubtype(_ type: Any.Type, of other: Any.Type) -> Bool {
  func isInstance<Metatype>(of _: Metatype.Type) -> Bool { type is Metatype }
  func inherits<Class>(from _: Class.Type) -> Bool { type is Class.Type }
  if type == other { return true }
  if other is AnyClass { return _openExistential(other, do: inherits) }
  // The suffix makes the metatype of all conforming types out of a protocol.
  guard [.existential, .constrainedExistential].contains(MetadataKind(of: other)),
    let name = _mangledTypeName(other), let conforming = _typeByName(name + "Xp")
  else { return false }
  return _openExistential(conforming, do: isInstance)
}

/// The stored properties of a class and of its superclasses, with their offsets, as the runtime reflects them: no property is
/// read, and no code of the user runs.
func storedProperties(of type: AnyClass) -> [(type: Any.Type, offset: Int)] {
  (0..<fieldCount(type)).map { index in
    var description: FieldDescription = (nil, nil, false, false)
    let fieldType = unsafe fieldType(type, index, &description)
    unsafe description.free?(description.name)
    return (fieldType, fieldOffset(type, index))
  }
}

/// The runtime's description of a property, beside its type.
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
