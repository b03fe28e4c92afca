internal import Synchronization

/// What readers get: something that knows whether it is still alive.
protocol Poisoned: Sendable {
  /// False once it has been deinitialized, which nobody with a strong reference ever sees.
  var isIntact: Bool { get }
}

/// Two cache lines of nothing, so that what is on both sides of it is not slowed down by the other.
private struct Padding {
  private let words = (
    SIMD2<UInt>(), SIMD2<UInt>(), SIMD2<UInt>(), SIMD2<UInt>(), SIMD2<UInt>(), SIMD2<UInt>(), SIMD2<UInt>(),
    SIMD2<UInt>()
  )
}

/// An instance that is counted while it lives and poisoned when it dies.
final class Specimen: Poisoned {
  private static let intact: UInt = 0x600D_600D_600D_600D

  private let state = Atomic<UInt>(intact)
  private let count: LiveCount

  /// A value, for the designs that use the instance as a box.
  let pair: Pair

  private let padding = Padding()

  init(in count: LiveCount, _ pair: Pair = Pair(0)) {
    self.count = count
    self.pair = pair
    count.add(1)
  }

  deinit {
    state.store(0xDEAD, ordering: .relaxed)
    count.add(-1)
  }

  var isIntact: Bool { state.load(ordering: .relaxed) == Self.intact }
}

/// How many probes there are.
final class LiveCount: Sendable {
  private let padding = Padding()
  private let count = Atomic<Int>(0)
  private let morePadding = Padding()

  /// The number now; exact when no thread is creating or releasing any.
  var current: Int { count.load(ordering: .acquiring) }

  fileprivate func add(_ difference: Int) {
    count.wrappingAdd(difference, ordering: .acquiringAndReleasing)
  }
}
