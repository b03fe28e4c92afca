extension Scenario {
  /// The ways in which readers could be protected from a writer, compared with each other.
  ///
  /// They explain why the library does what it does, and tell nothing about a change of it: so they are only measured
  /// when asked for.
  static let designs: [Scenario] =
    design(LeakingSlot.self, "a pointer without protection; never frees, so nobody writes", isWritten: false)
    + design(LockWordSlot.self, "a lock of one word for each instance")
    + design(MutexSlot.self, "the platform's mutex for each instance")
    + design(SplitCountSlot.self, "a reference count split between the pointer and what it points to")
    + design(EpochSlot.self, "counters of readers for each thread, and epochs")
    + design(HazardSlot.self, "hazard pointers")
    + (ProcessBarrier.isAvailable ? design(BarrierSlot.self, "hazard pointers, and a barrier by the kernel") : [])
    + design(PrepaidSlot.self, "prepaid references, as the library uses them, in one word")
    + design(ShardedSlot.self, "a prepaid bank for each of a few groups of threads")
    + situations("container", "the shared container as it is", ContainerDesign.self)
    + [
      value(SequenceSlot.self, "two words that are copied under a sequence number"),
      value(BoxedValueSlot.self, "two words in a box that a prepaid bank lends"),
      design(
        "design/handover", "design/handover",
        "a word that two threads hand to each other and back; how far apart they are", threads: [2], HandoverLoop(),
        DesignLoop(DirectDesign())),
    ]

  // Always inlined: where the type is known, the optimizer specialises the loops.

  @inline(__always)
  private static func design<Body: Slot & ~Copyable>(
    _: Body.Type, _ summary: String, isWritten: Bool = true
  ) -> [Scenario] {
    let all = situations(Body.name, summary, SlotDesign<Body>.self)
    return isWritten ? all : [all[0]]
  }

  @inline(__always)
  private static func situations<Subject: Design>(
    _ name: String, _ summary: String, _: Subject.Type
  ) -> [Scenario] {
    let subject = "design/\(name)"
    return [
      design(subject, subject, summary, threads: [1, 2], DesignLoop(Subject()), DesignLoop(DirectDesign())),
      design(
        "\(subject)/writer-elsewhere", subject, "the same, while a writer replaces another instance", threads: [1],
        DesignLoop(Subject()) { $0.replaceOther() }, DesignLoop(DirectDesign()) { $0.replaceOther() }),
      design(
        "\(subject)/writer-here", subject, "the same, while a writer replaces this instance", threads: [1],
        DesignLoop(Subject()) { $0.replaceThis() }, DesignLoop(DirectDesign()) { $0.replaceOther() }),
    ]
  }

  @inline(__always)
  private static func value<Body: ValueSlot & ~Copyable>(_: Body.Type, _ summary: String) -> Scenario {
    let name = "design/value-\(Body.name)"
    return design(name, name, summary, threads: [1, 2], ValueLoop(ValueDesign<Body>()), ValueLoop(DirectValue()))
  }

  @inline(__always)
  private static func design<Subject: Loop, Direct: Loop>(
    _ name: String, _ subject: String, _ summary: String, threads: [Int],
    _ loop: @autoclosure @escaping @Sendable () -> Subject, _ direct: @autoclosure @escaping @Sendable () -> Direct
  ) -> Scenario {
    Scenario(
      name: name, summary: summary, isDefault: false, threads: threads, subject: Implementation(subject, loop()),
      reference: Implementation("reference/static-let", direct()), yardsticks: [])
  }
}
