/// What hands out copies of a value.
protocol ValueSource: Sendable {
  /// A copy of the value.
  func value() -> Pair
}

/// A design for values, in a slot on cache lines of its own.
@safe
struct ValueDesign<Body: ValueSlot & ~Copyable>: ValueSource, @unchecked Sendable {
  // Unchecked: the pointer is good as long as its owner, and slots are made for many threads.

  private let owner: Pinned<Body>
  private let slot: UnsafeMutablePointer<Body>

  init() {
    owner = Pinned(Body(Pair(UInt(CommandLine.arguments.count))))
    unsafe slot = owner.pointer
  }

  // Not inlined, as the reference is not.
  @inline(never)
  func value() -> Pair { unsafe slot.pointee.read() }
}

/// What one would write without a container: the floor under all designs for values.
struct DirectValue: ValueSource {
  private static let theValue = Pair(UInt(CommandLine.arguments.count))

  @inline(never)
  func value() -> Pair { Self.theValue }
}

/// Copies a value, and looks whether its parts belong together.
struct ValueLoop<Source: ValueSource>: Loop {
  private let source: Source

  init(_ source: Source) {
    self.source = source
  }

  var registrations: Int? { nil }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    var torn = 0
    for _ in 0..<operations where !source.value().isWhole { torn &+= 1 }
    if torn > 0 { throw .wrong(torn, of: operations, "returned a torn value") }
  }
}
