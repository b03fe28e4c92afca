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

/// The elements of a tuple type with their offsets, or the type itself if it is not a tuple.
func tupleElements(of type: Any.Type) -> [(type: Any.Type, offset: Int)] {
  guard MetadataKind(of: type) == .tuple else { return [(type, 0)] }
  // The kind is followed by the number of elements, their labels, and the type and the offset of each.
  return (0..<Int(MetadataKind.word(1, of: type))).map { index in
    let offset = UInt32(truncatingIfNeeded: MetadataKind.word(4 + 2 * index, of: type))
    return (MetadataKind.type(at: MetadataKind.word(3 + 2 * index, of: type)), Int(offset))
  }
}

/// Returns the type of the elements of an array or a set, or of the values of a dictionary; nil for another type.
func elementType(of collection: Any.Type) -> Any.Type? {
  guard MetadataKind(of: collection) == .structure else { return nil }
  // The kind is followed by the descriptor, and that by the generic arguments.
  let descriptor = MetadataKind.word(1, of: collection)
  func isOne(of types: Any.Type...) -> Bool { types.contains { MetadataKind.word(1, of: $0) == descriptor } }
  if isOne(of: [Never].self, Set<Never>.self, ContiguousArray<Never>.self, ArraySlice<Never>.self) {
    return MetadataKind.type(at: MetadataKind.word(2, of: collection))
  }
  return isOne(of: [Never: Never].self) ? MetadataKind.type(at: MetadataKind.word(3, of: collection)) : nil
}

extension Image {
  /// The addresses of the declarations of a type, and the types of which it consists.
  static func parts(of type: Any.Type) -> (declarations: [UInt], types: [Any.Type]) {
    func types(_ range: Range<Int>) -> [Any.Type] {
      range.map { MetadataKind.type(at: MetadataKind.word($0, of: type)) }
    }
    switch MetadataKind(of: type) {
    case .structure, .enumeration, .optional:
      // Sound: the descriptor has flags, of which one is that of generic types, and at its end the number of parameters, flags
      // that are 0 if all of these are types, and a byte for each, whose highest bit says whether the type has the argument.
      let address = MetadataKind.word(1, of: type)
      let descriptor = unsafe UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
      let isGeneric = unsafe descriptor.load(as: UInt32.self) & 0x80 != 0
      let hasTypes = unsafe isGeneric && descriptor.load(fromByteOffset: 42, as: UInt16.self) == 0
      let parameters = unsafe hasTypes ? Int(descriptor.load(fromByteOffset: 36, as: UInt16.self)) : 0
      let count = (0..<parameters).count { unsafe descriptor.load(fromByteOffset: 44 + $0, as: UInt8.self) & 0x80 != 0 }
      return ([address], types(2..<2 + count))
    case .tuple: return ([], tupleElements(of: type).map(\.type))
    // The result and the parameters, whose number is in the lowest bits of the flags.
    case .function: return ([], types(2..<3 + Int(MetadataKind.word(1, of: type) & 0xFFFF)))
    case .existential: return unsafe (Existential.protocols(of: type).map { UInt(bitPattern: $0) }, [])
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
      return ([MetadataKind.word(first + 24 / MemoryLayout<UInt>.size, of: type)], [])
    }
  }
}

/// The facts about protocols that their descriptors have.
enum Existential {
  /// Returns a Boolean value that indicates whether Swift wants `any` before a protocol: it has associated types, or
  /// inherits from another protocol, which may have some.
  static func needsAny(_ existential: Any.Type) -> Bool {
    unsafe protocols(of: existential).contains { descriptor in
      // Sound: a descriptor consists of numbers of four bytes: flags, context, name, the number of requirements in the
      // signature, that of the other requirements, and the offset of the names of associated types. The requirements in
      // the signature follow; the kind of one is in the lowest bits of its flags.
      let count = unsafe descriptor.load(fromByteOffset: 12, as: UInt32.self)
      let names = unsafe descriptor.load(fromByteOffset: 20, as: Int32.self)
      let first = unsafe count == 0 ? 0 : descriptor.load(fromByteOffset: 24, as: UInt32.self)
      let isClassBound = count == 1 && first & 0x1F == 0x1F
      return names != 0 || (count > 0 && !isClassBound)
    }
  }

  /// Returns the names of the associated types of a protocol, in the order in which it declares them.
  static func associatedTypes(module: String, protocol name: String) -> [Substring] {
    let mangled = [module, name].map { "\($0.utf8.count)\($0)" }.joined() + "_p"
    guard let type = _typeByName(mangled), let descriptor = unsafe protocols(of: type).first else { return [] }
    let field = unsafe descriptor + 20
    let offset = unsafe Int(field.load(as: Int32.self))
    // Sound: the offset, if it is not zero, is the distance from itself to a C string.
    let names = unsafe (field + offset).assumingMemoryBound(to: CChar.self)
    return offset == 0 ? [] : unsafe String(cString: names).split(separator: " ")
  }

  /// The descriptors of the protocols of an existential type, without those of Objective-C.
  static func protocols(of existential: Any.Type) -> [UnsafeRawPointer] {
    guard MetadataKind(of: existential) == .existential else { return unsafe [] }
    // Sound: the kind of an existential type is followed by flags and the number of protocols, by its superclass if the
    // flags say so, and by the protocols, whose lowest bit says whether they are those of Objective-C.
    let (type, word) = unsafe (metadata(of: existential), MemoryLayout<UInt>.size)
    let hasSuperclass = unsafe type.load(fromByteOffset: word, as: UInt32.self) & 0x4000_0000 != 0
    let count = unsafe Int(type.load(fromByteOffset: word + 4, as: UInt32.self))
    return unsafe (0..<count).compactMap { index in
      let address = unsafe type.load(fromByteOffset: word * (index + (hasSuperclass ? 2 : 1)) + 8, as: UInt.self)
      return unsafe address & 1 == 0 ? UnsafeRawPointer(bitPattern: address) : nil
    }
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

/// The requirements that every `Optional` type fulfills.
protocol AnyOptional {
  /// The wrapped type, which is no optional: that of an `Int??` is `Int`.
  static var wrappedType: Any.Type { get }

  /// The number of question marks behind the wrapped type.
  static var levels: Int { get }

  /// The optional without a value, in a box.
  static var none: Box { get }

  /// Stores the optional without a value in memory.
  static func storeNone(in memory: InstanceMemory)

  /// Returns a box of the value that the optional in a box wraps, or nil if the optional, or one in it, is nil.
  static func unwrap(_ box: Box) -> Box?

  /// Returns a box of an optional that wraps the value of the wrapped type in a box, in as many levels as it has.
  static func wrap(_ box: Box) -> Box

  /// A Boolean value that indicates whether nil consists of zeros: that of a reference, and of an existential, does.
  static var isNilZero: Bool { get }

  /// A Boolean value that indicates whether an optional with a value has the layout of the value, as references have.
  static var hasLayoutOfWrapped: Bool { get }
}

extension Optional: AnyOptional {
  static var wrappedType: Any.Type { asOptional(Wrapped.self)?.wrappedType ?? Wrapped.self }

  static var levels: Int { 1 + (asOptional(Wrapped.self)?.levels ?? 0) }

  static var none: Box { Box(Self.none as Self) }

  static func storeNone(in memory: InstanceMemory) { memory.initialize { Self.none as Self } }

  static func unwrap(_ box: Box) -> Box? { box.value(as: Self.self).flatMap { Box($0).unwrapped } }

  static func wrap(_ box: Box) -> Box { Box(Self.some((asOptional(Wrapped.self)?.wrap(box) ?? box).value())) }

  static var isNilZero: Bool { MetadataKind.isClass(Wrapped.self) || MetadataKind.existential.isKind(of: Wrapped.self) }

  static var hasLayoutOfWrapped: Bool {
    MemoryLayout<Self>.size == MemoryLayout<Wrapped>.size && asOptional(Wrapped.self)?.hasLayoutOfWrapped != false
  }
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

/// A stored property of a class, as the runtime reflects it: no property is read, and no code of the user runs.
struct ReflectedField {
  let type: Any.Type
  let offset: Int

  /// Returns the stored properties of a class and of its superclasses.
  static func all(of type: AnyClass) -> [ReflectedField] {
    (0..<fieldCount(type)).map { index in
      var description = unsafe FieldDescription()
      let fieldType = unsafe fieldType(type, index, &description)
      unsafe description.free?(description.name)
      return ReflectedField(type: fieldType, offset: fieldOffset(type, index))
    }
  }
}

/// The runtime's description of a property, beside its type.
@unsafe
private struct FieldDescription {
  var name: UnsafePointer<CChar>?
  var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false
}

// The functions that `Mirror` calls.

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(_ type: Any.Type, _ index: Int, _ description: UnsafeMutablePointer<FieldDescription>)
  -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: Any.Type, _ index: Int) -> Int
