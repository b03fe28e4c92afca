internal import Synchronization

/// One call of a factory, and what has to be known of it wherever the factory works: on its own thread, in the tasks that
/// it starts, and on every thread or task on which it uses its resolver.
///
/// There is one for each instance that several resolves get, and for each asynchronous factory. It belongs to the creation,
/// and not to whoever has asked first, who may be gone before the factory returns.
final class CreationContext: Sendable {
  /// The context around this one.
  private let parent: CreationContext?

  /// The registration whose factory runs.
  let definition: Definition

  /// What is being created between `parent` and here, and here, outermost first.
  private let entries: [PathEntry]

  /// How many contexts there are from the outermost one to this one.
  let depth: Int

  /// The creation that others may wait for; nil if nobody can.
  let creation: Creation?

  /// Records what the instance depends on, or the one that this factory works for; nil if no instance is kept.
  let recorder: DependencyRecorder?

  /// What is created once for everything that the outermost resolve creates; nil if the thread knows it.
  let graph: Graph?

  /// The owner of the instance that this factory creates, if it is going to be kept.
  private let owner: OwningContainer?

  private let isOver = Atomic(false)

  /// Begins the context of a factory in the current one.
  ///
  /// - Parameters:
  ///   - definition: The registration of the factory.
  ///   - type: The type that was asked for.
  ///   - creation: The creation that others may wait for, if there is one.
  ///   - recorder: Records what the instance depends on, if it is going to be kept.
  init(of definition: Definition, for type: Any.Type, _ creation: Creation?, _ recorder: DependencyRecorder?) {
    let parent = Self.current
    self.parent = parent
    self.definition = definition
    entries = ThreadState.current.entries(below: parent) + [PathEntry(definition, type)]
    depth = (parent?.depth ?? 0) + 1
    self.creation = creation
    self.recorder = recorder ?? parent?.recorder
    graph = parent?.graph ?? (definition.isAsync ? Graph() : nil)
    graph?.begin()
    owner = recorder?.owner
    TaskContext.activeCount.wrappingAdd(1, ordering: .relaxed)
    owner?.begin(self)
  }

  /// Ends the context, because the factory has returned or failed.
  func end() {
    isOver.store(true, ordering: .releasing)
    graph?.end()
    owner?.end()
    TaskContext.activeCount.wrappingSubtract(1, ordering: .relaxed)
  }

  // MARK: Where it applies

  /// The innermost context that the calling thread or task works for, if its factory still runs.
  static var current: CreationContext? { ThreadState.current.context ?? ofTask }

  /// The innermost context that the current task works for, if its factory still runs.
  static var ofTask: CreationContext? {
    var context = TaskContext.withCurrent { $0?.creation }
    while let candidate = context, candidate.isOver.load(ordering: .acquiring) { context = candidate.parent }
    return context
  }

  /// This context and those around it, innermost first.
  var chain: some Sequence<CreationContext> { sequence(first: self, next: \.parent) }

  /// A Boolean value that indicates whether a factory of a registration runs here or around here.
  func isInside(_ definition: Definition) -> Bool { chain.contains { $0.definition === definition } }

  // MARK: What depends on it

  /// The creations that do not go on before this factory has returned.
  ///
  /// Synchronous factories are on one stack, and the innermost asynchronous one around them waits for them. Factories
  /// around that one may not be waiting for it; if they are, a `Wait` records that.
  var blockedCreations: [Creation] {
    var blocked: [Creation] = []
    for context in chain {
      guard let creation = context.creation else { continue }
      blocked.append(creation)
      if creation is TaskCreation { break }
    }
    return blocked
  }

  /// What is being created, outermost first.
  var path: [PathEntry] { chain.reversed().flatMap(\.entries) }

  /// How many contexts may be nested where a factory is asynchronous.
  static let maximumDepth = 1_000

  /// A Boolean value that indicates whether a factory has led back to itself, which it may do a few times, and with other
  /// arguments as often as it wants.
  var isCycle: Bool {
    guard depth >= 16, depth % 16 == 0, !definition.takesArguments else { return false }
    for context in chain.dropFirst() {
      if context.definition.takesArguments { return false }
      if context.definition === definition { return true }
    }
    return false
  }
}

/// One factory on the path to what is being created.
struct PathEntry {
  let definition: Definition

  /// The type that was asked for.
  let type: Any.Type

  init(_ definition: Definition, _ type: Any.Type) {
    self.definition = definition
    self.type = type
  }

  /// The name that a path shows.
  var name: String { displayName(type, definition.label.name) }
}
