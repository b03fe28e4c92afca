/// What every `Optional` type can do.
protocol AnyOptional {
  /// What it may wrap.
  static var wrappedType: Any.Type { get }

  /// Answers a resolve of the wrapped type, or nil, into memory for an optional.
  ///
  /// The memory is uninitialized unless this returns.
  static func answer(
    from container: DIContainer, _ request: Request, _ made: (() -> Answer)?, into memory: UnsafeMutableRawPointer
  ) throws(ResolutionError)

  /// Boxes what the optional in a box wraps, or returns nil if that is nil.
  static func unwrap(_ box: Box) -> Box?

  /// Boxes what is in a box of the wrapped type as an optional.
  static func wrap(_ box: Box) -> Box
}

extension Optional: AnyOptional {
  static var wrappedType: Any.Type { Wrapped.self }

  static func answer(
    from container: DIContainer, _ request: Request, _ made: (() -> Answer)?, into memory: UnsafeMutableRawPointer
  ) throws(ResolutionError) {
    try unsafe withUnsafeTemporaryAllocation(of: Wrapped.self, capacity: 1) { wrapped throws(ResolutionError) in
      let wrapped = wrapped.baseAddress!
      let isRegistered = try unsafe container.answerIfRegistered(request, made, into: wrapped)
      unsafe memory.initializeMemory(as: Self.self, to: isRegistered ? wrapped.move() : nil)
    }
  }

  static func unwrap(_ box: Box) -> Box? { box.value(as: Self.self).map { Box($0) } }

  static func wrap(_ box: Box) -> Box { Box(Self.some(box.value())) }
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
  // Sound: every type's metadata starts with its kind, which is part of Swift's stable ABI.
  let optional: UInt = 0x202
  guard unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee == optional else { return nil }
  return type as? any AnyOptional.Type
}
