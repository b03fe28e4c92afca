/// Two places for instances, of which readers use the first.
protocol Design: Sendable {
  /// Both places, with an instance in each.
  init()

  /// How many registrations there are to look among; nil if nothing is registered.
  var registrations: Int? { get }

  /// How many instances there are.
  var count: LiveCount { get }

  /// How many there should be while nobody reads or writes.
  var expectedCount: Int { get }

  /// A strong reference to the first instance.
  func probe() -> any Poisoned

  /// Replaces the first instance.
  func replaceThis()

  /// Replaces the second instance.
  func replaceOther()
}

extension Design {
  var expectedCount: Int { 2 }
}

/// A design for slots, in two slots on cache lines of their own.
@safe
struct SlotDesign<Body: Slot & ~Copyable>: Design, @unchecked Sendable {
  // Unchecked: the pointer is good as long as its owner, and slots are made for many threads.

  let count: LiveCount
  private let this: Pinned<Body>
  private let other: Pinned<Body>

  /// Where the first slot is: one load less for each read.
  private let slot: UnsafeMutablePointer<Body>

  init() {
    count = LiveCount()
    this = Pinned(Body(Specimen(in: count)))
    other = Pinned(Body(Specimen(in: count)))
    unsafe slot = this.pointer
  }

  var registrations: Int? { nil }

  // Not inlined, as the reference is not.
  @inline(never)
  func probe() -> any Poisoned { unsafe slot.pointee.take() }

  func replaceThis() { unsafe this.pointer.pointee.replace(with: Specimen(in: count)) }
  func replaceOther() { unsafe other.pointer.pointee.replace(with: Specimen(in: count)) }
}

/// What one would write without a container: the floor under all designs.
struct DirectDesign: Design {
  private static let theProbe: any Poisoned = Specimen(in: LiveCount())

  let count = LiveCount()

  /// What the writer replaces, so that the other core does as much as with the designs.
  private let other: Pinned<MutexSlot>

  init() {
    other = Pinned(MutexSlot(Specimen(in: count)))
  }

  var registrations: Int? { nil }

  // The one that readers get is the same in all cells, and not counted.
  var expectedCount: Int { 1 }

  @inline(never)
  func probe() -> any Poisoned { Self.theProbe }

  func replaceThis() { replaceOther() }
  func replaceOther() { unsafe other.pointer.pointee.replace(with: Specimen(in: count)) }
}
