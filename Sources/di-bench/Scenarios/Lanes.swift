/// What each thread has one instance of for itself, by a protocol of its own.
protocol Lane: Sendable {
  /// Which instance this is.
  var identity: ObjectIdentifier { get }
}

protocol LaneA: Lane {}
protocol LaneB: Lane {}
protocol LaneC: Lane {}
protocol LaneD: Lane {}

/// The one implementation of all of them.
final class LaneImpl: LaneA, LaneB, LaneC, LaneD {
  /// Gives each instance cache lines of its own: threads that count references to neighbours would slow each other, and
  /// that is a matter of where the allocator puts them.
  private let padding = (
    SIMD64<UInt8>(), SIMD64<UInt8>(repeating: UInt8(truncatingIfNeeded: CommandLine.arguments.count))
  )

  var identity: ObjectIdentifier { ObjectIdentifier(self) }
}
