internal import Foundation
internal import DependencyInjection
internal import Synchronization

@testable import di_bench

/// What a stress run saw.
struct StressResult {
  /// How often an instance was dead while somebody had a reference to it.
  var dead = 0

  /// How many replacements there were.
  var replaced = 0

  /// How many instances are left, now that the slots are freed.
  var alive = 0
}

/// Many threads that take from a few slots and replace what is in them.
enum DesignStress<Body: Slot & ~Copyable> {
  static var slotCount: Int { 3 }

  /// Where the slots are.
  @safe
  private struct Pointers: @unchecked Sendable {
    // Unchecked: slots are made for many threads, and outlive their use.
    let slots: [UnsafeMutablePointer<Body>]
  }

  /// What is alive after a replacement, after another, with a reference held over one, without it, and without the slot.
  static func replaceAlone() -> [Int] {
    let count = LiveCount()
    var alive: [Int] = []
    do {
      let slot = Pinned(Body(Specimen(in: count)))
      for _ in 0..<2 {
        unsafe slot.pointer.pointee.replace(with: Specimen(in: count))
        alive.append(count.current)
      }
      do {
        let kept = unsafe slot.pointer.pointee.take()
        unsafe slot.pointer.pointee.replace(with: Specimen(in: count))
        alive.append(kept.isIntact ? count.current : -1)
      }
      alive.append(count.current)
    }
    return alive + [count.current]
  }

  /// Eight threads, each of which takes, keeps a few of what it took, and now and then replaces.
  static func run(seed: UInt64, threads: Int = 8, operations: Int = 5_000) -> StressResult {
    let count = LiveCount()
    let total = Locked(StressResult())
    do {
      let owners = (0..<slotCount).map { _ in Pinned(Body(Specimen(in: count))) }
      let slots = unsafe Pointers(slots: owners.map { unsafe $0.pointer })
      let writers = Locked(())
      onStressThreads(threads) { thread in
        var generator = RandomGenerator(seed: seed << 8 | UInt64(thread))
        var kept: [Specimen] = []
        var own = StressResult()
        for _ in 0..<operations {
          let random = generator.next()
          let slot = unsafe slots.slots[Int(random % UInt64(slotCount))]
          switch random >> 8 & 31 {
          case 0:
            let new = Specimen(in: count)
            // One writer at a time, as under a container's lock. What is replaced is a probe, which calls nothing.
            writers.withLock { _ in unsafe slot.pointee.replace(with: new) }
            own.replaced += 1
          case 1: kept.append(unsafe slot.pointee.take())
          default: if unsafe !slot.pointee.take().isIntact { own.dead += 1 }
          }
          if kept.count > 16 {
            own.dead += kept.count { !$0.isIntact }
            kept = []
          }
        }
        total.withLock { [own] in
          $0.dead += own.dead
          $0.replaced += own.replaced
        }
      }
      // A thread that has ended may keep its closure a moment longer, but that owns none of the slots.
      withExtendedLifetime(owners) {}
    }
    var result = total.withLock { $0 }
    result.alive = count.current
    return result
  }
}

/// Many threads that read from a slot for values and replace what is in it.
enum ValueStress<Body: ValueSlot & ~Copyable> {
  static func run(seed: UInt64, threads: Int = 8) -> (torn: Int, slots: [Pinned<Body>]) {
    let slots = (0..<3).map { Pinned(Body(Pair($0))) }
    let writers = Locked(())
    let torn = Locked(0)
    onStressThreads(threads) { thread in
      var generator = RandomGenerator(seed: seed << 8 | UInt64(thread))
      var own = 0
      for _ in 0..<20_000 {
        let random = generator.next()
        let slot = slots[Int(random % 3)]
        if random >> 8 & 31 == 0 {
          writers.withLock { _ in unsafe slot.pointer.pointee.replace(with: Pair(UInt(random))) }
        } else if unsafe !slot.pointer.pointee.read().isWhole {
          own += 1
        }
      }
      torn.withLock { [own] in $0 += own }
    }
    return (torn.withLock { $0 }, slots)
  }
}

/// Runs a closure on threads that start at the same moment, and waits for all.
func onStressThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let start = StartLine(threads: count)
  let end = StartLine(threads: count + 1)
  for thread in 0..<count {
    Thread.detachNewThread {
      start.wait()
      body(thread)
      end.wait()
    }
  }
  end.wait()
}
