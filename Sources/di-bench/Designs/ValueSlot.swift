/// A small value without references, two words that have to fit each other.
struct Pair: Sendable, Equatable {
  let first: UInt
  let second: UInt

  /// A whole pair.
  init(_ first: UInt) {
    self.init(first: first, second: ~first)
  }

  /// A pair of words that were read one by one.
  init(first: UInt, second: UInt) {
    self.first = first
    self.second = second
  }

  /// Whether the words belong together.
  var isWhole: Bool { second == ~first }
}

/// A place for one value that readers copy while a writer may replace it.
protocol ValueSlot: ~Copyable, Sendable {
  /// How the design is called in the results.
  static var name: String { get }

  /// A slot with a value.
  init(_ value: Pair)

  /// A copy of the value; called on any number of threads.
  borrowing func read() -> Pair

  /// Puts another value in; called on one thread at a time.
  borrowing func replace(with value: Pair)
}
