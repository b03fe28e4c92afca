internal import Synchronization

/// A reference count in two parts: readers count themselves in beside the pointer, and out beside it or at what it
/// points to.
///
/// The word packs `count << 48 | node`. Sound: a reader's addition returns the node together with the fact that the
/// reader is counted. It leaves by subtracting from the word as long as the node is still there, and else from the
/// node. A writer that takes the node out of the word moves the word's count to the node: from then on the node's
/// count is what the readers still owe it, and whoever brings it to zero releases the instance. Before the writer has
/// added, departures only make it negative, so nobody is early. A node that a reader is counted at is not freed, so
/// no other can appear at its address, and the comparison with the word cannot be fooled. Departures release, and the
/// writer's exchange and the last departure acquire: the instance dies after the last use.
@safe
struct SplitCountSlot: Slot, ~Copyable {
  static let name = "split-count"

  private static var one: UInt { 1 << 48 }

  private let word: Atomic<UInt>

  init(_ instance: Specimen) {
    word = Atomic(Node.make(instance))
  }

  deinit { retire(word.load(ordering: .relaxed)) }

  func take() -> Specimen {
    let entered = word.wrappingAdd(Self.one, ordering: .acquiring).newValue
    let node = unsafe Node.at(entered)
    let address = unsafe node.pointee.address
    Reference.retain(address)
    var current = entered
    while UInt(bitPattern: node) == current & (Self.one - 1) {
      let (isOut, seen) = word.compareExchange(expected: current, desired: current - Self.one, ordering: .releasing)
      if isOut { return Reference.owned(address) }
      current = seen
    }
    unsafe Node.settle(node, 1)
    return Reference.owned(address)
  }

  func replace(with instance: Specimen) {
    retire(word.exchange(Node.make(instance), ordering: .acquiringAndReleasing))
  }

  private func retire(_ old: UInt) {
    unsafe Node.settle(Node.at(old), -Int(old >> 48))
  }

  /// An instance and how many departures it waits for.
  private struct Node: ~Copyable {
    let address: UInt
    let debt = Atomic<Int>(0)

    static func make(_ instance: Specimen) -> UInt {
      let address = Reference.address(of: instance)
      Reference.retain(address)
      let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
      unsafe node.initialize(to: Node(address: address))
      precondition(UInt(bitPattern: node) < one, "A pointer leaves no room for a count.")
      return UInt(bitPattern: node)
    }

    static func at(_ word: UInt) -> UnsafeMutablePointer<Node> {
      unsafe UnsafeMutablePointer(bitPattern: word & (one - 1)).unsafelyUnwrapped
    }

    /// Subtracts departures; whoever brings the debt to zero frees the node.
    static func settle(_ node: UnsafeMutablePointer<Node>, _ departures: Int) {
      guard
        unsafe node.pointee.debt.wrappingSubtract(departures, ordering: .acquiringAndReleasing).newValue == 0
      else { return }
      // Sound: the word does not lead here any more, and everybody who came through it has left.
      unsafe Reference.release(node.pointee.address)
      unsafe node.deinitialize(count: 1)
      unsafe node.deallocate()
    }
  }
}
