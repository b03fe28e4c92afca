/// The requirements that every `Optional` type fulfills.
protocol AnyOptional {
  /// The wrapped type.
  static var wrappedType: Any.Type { get }

  /// The optional without a value, in a box.
  static var none: Box { get }

  /// Returns a box of the value that the optional in a box wraps, or nil if the optional is nil.
  static func unwrap(_ box: Box) -> Box?

  /// Returns a box of an optional that wraps the value in a box.
  static func wrap(_ box: Box) -> Box

  /// A Boolean value that indicates whether an optional with a value has the layout of the value, as references have.
  static var hasLayoutOfWrapped: Bool { get }
}

extension Optional: AnyOptional {
  static var wrappedType: Any.Type { Wrapped.self }

  static var none: Box { Box(Self.none as Self) }

  static func unwrap(_ box: Box) -> Box? { box.value(as: Self.self).map { Box($0) } }

  static func wrap(_ box: Box) -> Box { Box(Self.some(box.value())) }

  static var hasLayoutOfWrapped: Bool { MemoryLayout<Self>.size == MemoryLayout<Wrapped>.size }
}

extension Box {
  /// A box of the value that an optional in the box wraps, or nil if the optional is nil; the box itself if it has no
  /// optional.
  var unwrapped: Box? {
    guard let optional = asOptional(type) else { return self }
    return optional.unwrap(self)?.unwrapped
  }
}

/// Returns a type as an optional type, or nil if it is not one.
///
/// The kind is checked first, because the search for a conformance takes longer the more types there are.
func asOptional(_ type: Any.Type) -> (any AnyOptional.Type)? {
  MetadataKind(of: type) == .optional ? type as? any AnyOptional.Type : nil
}
