internal import Synchronization

/// Something that is being created while others may wait for it.
class Creation: @unchecked Sendable {
  // Unchecked: everything that changes is guarded by `lock`.

  /// The lock behind every wait, of threads and of tasks: taken once per creation and per wait, never by a resolve that
  /// finds its instance.
  static let lock = Monitor<Void>(())

  /// What is created; nil for the registrations of `DependencyRegistering`.
  let definition: Definition?

  final var isFinished = false

  init(of definition: Definition?) { self.definition = definition }

  /// What stands still until others are created, because whoever creates this waits for them.
  var blockers: [Creation] { [] }

  /// What waits for what, from this creation to one that is looked for, or nil if it waits for no such.
  final func path(to isWanted: (Creation) -> Bool) -> [Creation]? {
    var seen: Set<ObjectIdentifier> = []
    func search(_ creation: Creation) -> [Creation]? {
      if creation.isFinished || !seen.insert(ObjectIdentifier(creation)).inserted { return nil }
      if isWanted(creation) { return [creation] }
      for blocker in creation.blockers {
        if let rest = search(blocker) { return [creation] + rest }
      }
      return nil
    }
    return search(self)
  }

  /// Whether nobody wants it any more, or whoever created has given it up, so that the next one begins anew.
  var isAbandoned: Bool { Self.lock.withLock { _ in isFinished } }
}

extension DIContainer {
  /// Gives up what the calling thread and task create, because they never will go on.
  func giveUp(_ error: ResolutionError) {
    AsyncContext.active?.creation?.finish(.failure(error))
    for container in lineage(below: nil) {
      for case let creation as ThreadCreation in container.state.withLock({ Array($0.creations.values) })
      where creation.isOwn {
        // Relaxed: as where it was counted.
        unsafe creations.pointee.wrappingSubtract(1, ordering: .relaxed)
        creation.finish()
      }
    }
  }
}

/// Something that is being created by one thread while others may wait for it.
@safe
final class ThreadCreation: Creation, @unchecked Sendable {
  /// The thread that creates, which does not end before the creation is finished.
  private let owner = unsafe ThreadState.current

  private var hasWaiters = false

  /// Whether the calling thread itself creates.
  var isOwn: Bool { unsafe owner == ThreadState.current }

  /// Lets go whoever waits.
  func finish() {
    let wakes = Self.lock.withLock { _ in
      isFinished = true
      return hasWaiters
    }
    if wakes { Self.lock.wakeAll() }
  }

  /// Waits until the creation is finished.
  ///
  /// Which thread waits for which creation, and which thread owns it, is one graph for the whole process. The last
  /// wait that would close a circle in it finds that circle, because looking and waiting happen under one lock.
  ///
  /// - Returns: nil when the creation is finished, or if waiting would never end, the path of what is being created,
  ///   from this creation on through the other threads to the calling one.
  func wait() -> [String]? {
    let thread = unsafe ThreadState.current
    return Self.lock.wait { _ -> [String]?? in
      // The edges that are there when it begins to wait are those it can close; later ones look themselves.
      let circle = unsafe thread.pointee.waitingFor === self ? nil : circle(closedBy: thread)
      let isOver = isFinished || circle != nil
      unsafe thread.pointee.waitingFor = isOver ? nil : self
      hasWaiters = true
      return isOver ? .some(circle) : nil
    }
  }

  override var blockers: [Creation] { unsafe owner.pointee.waitingFor.map { [$0] } ?? [] }

  private func circle(closedBy thread: UnsafeMutablePointer<ThreadState>) -> [String]? {
    let circle = path { unsafe ($0 as? ThreadCreation)?.owner == thread }?.compactMap { $0 as? ThreadCreation }
    guard let circle, let last = circle.last else { return nil }
    // Every owner in the circle is blocked in here, or is the calling thread, so their frames stand still.
    let others = circle.dropLast().flatMap { unsafe $0.owner.path(from: $0.definition) }
    return unsafe others + last.owner.path(from: last.definition).prefix(1)
  }
}
