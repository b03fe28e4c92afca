/// What every `Optional` type can do.
protocol AnyOptional {
  /// The type that it may wrap.
  static var wrappedType: Any.Type { get }

  /// The optional without a value, in a box.
  static var none: Box { get }

  /// Boxes what the optional in a box wraps, or returns nil if that is nil.
  static func unwrap(_ box: Box) -> Box?

  /// Boxes what is in a box of the wrapped type as an optional.
  static func wrap(_ box: Box) -> Box

  /// The size of the optional and that of the wrapped type, in bytes.
  static var sizes: (optional: Int, wrapped: Int) { get }
}

extension Optional: AnyOptional {
  static var wrappedType: Any.Type { Wrapped.self }

  static var none: Box { Box(Self.none as Self) }

  static func unwrap(_ box: Box) -> Box? { box.value(as: Self.self).map { Box($0) } }

  static func wrap(_ box: Box) -> Box { Box(Self.some(box.value())) }

  static var sizes: (optional: Int, wrapped: Int) { (MemoryLayout<Self>.size, MemoryLayout<Wrapped>.size) }
}

extension Box {
  /// What an optional in the box wraps, in a box of its own, or nil if that is nil; the box itself if it has no optional.
  var unwrapped: Box? {
    guard let optional = asOptional(type) else { return self }
    return optional.unwrap(self)?.unwrapped
  }
}

/// A type as an optional, or nil if it is none.
///
/// The kind is looked at first, because to search for a conformance takes the longer the more types there are.
func asOptional(_ type: Any.Type) -> (any AnyOptional.Type)? {
  MetadataKind(of: type) == .optional ? type as? any AnyOptional.Type : nil
}
