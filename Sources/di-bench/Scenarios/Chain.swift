/// Ten classes of which each needs an instance of the one before.
enum Chain {
  /// How many there are.
  static let depth = 10

  typealias Link1 = Link<End>
  typealias Link2 = Link<Link1>
  typealias Link3 = Link<Link2>
  typealias Link4 = Link<Link3>
  typealias Link5 = Link<Link4>
  typealias Link6 = Link<Link5>
  typealias Link7 = Link<Link6>
  typealias Link8 = Link<Link7>
  typealias Link9 = Link<Link8>
  typealias Last = Link<Link9>

  /// What can be in a chain.
  protocol Part: Sendable {
    /// How many links there are from here on.
    var depth: Int { get }
  }

  /// What follows the innermost link.
  struct End: Part {
    var depth: Int { 0 }
  }

  /// An instance that needs another.
  final class Link<Next: Part>: Part {
    let next: Next
    let depth: Int

    @inline(never)
    init(_ next: Next) {
      InstanceCount.add()
      self.next = next
      depth = next.depth + 1
    }
  }
}
