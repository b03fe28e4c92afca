@testable internal import DependencyInjection
internal import Synchronization
internal import Testing

/// An object whose memory nothing protects.
private final class Node {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// Reads what a table has for `Node`.
///
/// Nothing here is generic: in debug builds, generic code asks for metadata under a lock. The thread sanitizer would
/// believe that the lock orders the accesses, and find nothing, whatever is wrong.
@safe
private struct Reader {
  let requester: DIContainer
  let memory = UnsafeMutableRawPointer.allocate(byteCount: 48, alignment: 16)

  /// The number of the node; nil if the table has none.
  func number() -> Int? {
    let result = unsafe InstanceMemory(memory)
    guard result.resolveExisting(Node.self, .none, from: requester.registry) else { return nil }
    // Sound: the table has nodes only.
    let node = unsafe memory.load(as: Unmanaged<Node>.self)
    let number = unsafe node._withUnsafeGuaranteedRef { $0.number }
    unsafe node.release()
    return number
  }
}

@Suite(.timeLimit(.minutes(20)))
struct VisibilityTests {
  // A wrong order of the accesses is found by the thread sanitizer, and on processors that reorder more than x86-64.
  @Test("A reader that takes no lock sees an instance as its factory left it", arguments: [false, true])
  func instances(fromChild: Bool) {
    let container = DIContainer()
    let reader = Reader(requester: fromChild ? DIContainer(parent: container) : container)
    defer { unsafe reader.memory.deallocate() }
    let seen = Progress()
    let transfer = Transfer(reader)
    onThreads(2) { thread in
      let reader = transfer.value
      for number in 1...200 {
        // Relaxed, so that only the table orders what the two threads do.
        if thread == 0 {
          container.register(Shared(Node(number)))
          _ = container.resolve(Node.self)
          while seen.number.load(ordering: .relaxed) < number { letOthersRun() }
        } else {
          while true {
            if let found = reader.number(), found == number { break }
            letOthersRun()
          }
          seen.number.store(number, ordering: .relaxed)
        }
      }
    }
    #expect(reader.number() == 200)
  }

  // In a process of its own, because taking the lock twice never ends.
  @Test("The factory of a kept instance gets each `New` without the lock of all creations", .exitTest)
  func new() async {
    await #expect(processExitsWith: .success) {
      let container = DIContainer()
      let nodes = CallCounter()
      container.register {
        New(Node(nodes.call()))
        Shared { (resolve: Resolver) in
          // The first one comes from the registry.
          _ = resolve(Node.self)
          return Creation.lock.withLock { "\(resolve(Node.self).number)" }
        }
      }
      precondition(container.resolve(String.self) == "2")
    }
  }

  private final class Progress: Sendable {
    let number = Atomic(0)
  }
}
