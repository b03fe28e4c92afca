internal import Synchronization

/// A Bloom filter of 256 bits: a set of keys that never misses a key, but may seem to contain one that it does not.
struct KeyFilter {
  private(set) var bits: SIMD4<UInt64> = .zero

  /// The set of all keys.
  static var all: KeyFilter { KeyFilter(bits: SIMD4(repeating: .max)) }

  /// Creates the set of some keys.
  init(_ keys: some Sequence<Key> = []) {
    for key in keys { insert(key) }
  }

  fileprivate init(bits: SIMD4<UInt64>) { self.bits = bits }

  mutating func insert(_ key: Key) {
    let index = Int(truncatingIfNeeded: Key.hash(key.word) &>> (UInt(UInt.bitWidth) &- 8))
    bits[index / 64] |= 1 << UInt64(index % 64)
  }

  mutating func formUnion(_ other: KeyFilter) { bits |= other.bits }

  /// Returns a Boolean value that indicates whether the two sets may have a key in common.
  @inline(__always)
  func mayIntersect(_ other: KeyFilter) -> Bool { bits & other.bits != .zero }
}

/// A filter that any number of threads load while one thread at a time changes it.
struct AtomicKeyFilter: ~Copyable {
  private let first = Atomic<UInt64>(0)
  private let second = Atomic<UInt64>(0)
  private let third = Atomic<UInt64>(0)
  private let fourth = Atomic<UInt64>(0)

  /// Loads each word separately; readers determine in another way whether the words belong together.
  @inline(__always)
  func load() -> KeyFilter {
    KeyFilter(
      bits: SIMD4(
        first.load(ordering: .acquiring), second.load(ordering: .acquiring), third.load(ordering: .acquiring),
        fourth.load(ordering: .acquiring)))
  }

  func store(_ filter: KeyFilter) {
    first.store(filter.bits[0], ordering: .releasing)
    second.store(filter.bits[1], ordering: .releasing)
    third.store(filter.bits[2], ordering: .releasing)
    fourth.store(filter.bits[3], ordering: .releasing)
  }
}
