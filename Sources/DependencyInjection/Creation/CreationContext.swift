internal import Synchronization

/// The context of one factory call, wherever the factory works.
///
/// That is its own thread, the tasks that it starts, and every thread or task on which it uses its resolver.
///
/// Each instance that several resolutions return has a context, and so has each call of an asynchronous factory. It
/// belongs to the creation, and not to the first requester, which may be gone before the factory returns.
final class CreationContext: Sendable {
  /// The context around this one.
  private let parent: CreationContext?

  /// The running factory.
  private let entry: PathEntry

  /// The container that calls the factory.
  private let container: ObjectIdentifier

  /// The factories between `parent` and this one, outermost first.
  private let entriesBetween: [PathEntry]

  /// The number of contexts from the outermost one to this one.
  let depth: Int

  /// The creation for which others may wait; nil if none can.
  let creation: Creation?

  /// The recorder of the dependencies of this instance, or of the instance that this factory works for; nil if none is
  /// kept.
  let recorder: DependencyRecorder?

  /// The instances that are created once for everything that the outermost resolution creates; nil if the thread has
  /// them.
  let graph: Graph?

  /// The owner of the instance that this factory creates, if a container is going to keep it.
  private let owner: OwningContainer?

  private let isOver = Atomic(false)

  /// Begins the context of a factory inside of the current one.
  ///
  /// - Parameters:
  ///   - definition: The registration of the factory.
  ///   - type: The requested type.
  ///   - container: The container that calls the factory.
  ///   - creation: The creation for which others may wait, if there is one.
  ///   - recorder: The recorder of the instance's dependencies, if a container is going to keep the instance.
  init(
    of definition: Definition, for type: Any.Type, in container: DIContainer, _ creation: Creation?,
    _ recorder: DependencyRecorder?
  ) {
    self.container = ObjectIdentifier(container)
    let parent = Self.current
    self.parent = parent
    entry = PathEntry(definition: definition, type: type)
    entriesBetween = ThreadState.current.entries(below: parent)
    depth = (parent?.depth ?? 0) + 1
    self.creation = creation
    self.recorder = recorder ?? parent?.recorder
    graph = parent?.graph ?? (definition.isAsync ? Graph() : nil)
    graph?.begin()
    owner = recorder?.owner
    TaskContext.activeCount.wrappingAdd(1, ordering: .relaxed)
    owner?.begin(self)
  }

  /// Ends the context after the factory has returned or failed.
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
    TaskContext.withCurrent { $0?.creation }?.chain.first { !$0.isOver.load(ordering: .acquiring) }
  }

  /// This context and those around it, innermost first.
  var chain: some Sequence<CreationContext> { sequence(first: self, next: \.parent) }

  /// Returns a Boolean value that indicates whether a registration's factory runs in this context or in one around it.
  func isInside(_ definition: Definition) -> Bool { chain.contains { $0.definition === definition } }

  /// The registration of the running factory.
  var definition: Definition { entry.definition }

  // MARK: What depends on it

  /// The creations that cannot continue before this factory has returned.
  ///
  /// Synchronous factories are on one stack, and the innermost asynchronous one around them waits for them. Factories
  /// around that one may not be waiting for it. If they are, a `Wait` records that.
  var blockedCreations: [Creation] {
    var blocked: [Creation] = []
    for context in chain {
      guard let creation = context.creation else { continue }
      blocked.append(creation)
      if creation is TaskCreation { break }
    }
    return blocked
  }

  /// The factories, outermost first.
  var path: [PathEntry] { chain.reversed().flatMap { $0.entriesBetween + [$0.entry] } }

  /// The maximum number of nested contexts where a factory is asynchronous.
  static let maximumDepth = 1_000

  /// A Boolean value that indicates whether a factory has led back to itself.
  ///
  /// As in `Frame`, a factory may do so twice, and with other arguments or in other containers any number of times.
  var isCycle: Bool {
    if depth % Int(Frame.cycleStep) != 0 { return false }
    let others = chain.prefix { !$0.definition.takesArguments }.dropFirst()
    return others.filter { $0.definition === definition && $0.container == container }.count >= 3
  }
}

/// One factory on the path to the requested instance.
struct PathEntry {
  let definition: Definition

  /// The requested type.
  let type: Any.Type

  /// The name of the type in a path.
  var name: String { displayName(type, definition.label.name) }
}
