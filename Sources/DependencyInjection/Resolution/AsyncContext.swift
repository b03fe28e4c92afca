/// One asynchronous factory that is running: what a frame is for a thread, for a task and the tasks that it starts.
final class AsyncContext: Sendable {
  @TaskLocal
  static var current: AsyncContext?

  private let parent: AsyncContext?

  /// The registration whose factory runs.
  let definition: Definition

  /// What was asked for.
  private let name: String

  /// The creation that the factory is a part of; nil if nobody keeps what it creates.
  let creation: TaskCreation?

  /// Collects what the instance depends on that is created there.
  let notes: Notes?

  /// What is created once for everything that the outermost resolve creates.
  let graph: Graph

  init(
    of definition: Definition, _ request: Request, in parent: AsyncContext?, _ creation: TaskCreation?, _ notes: Notes?
  ) {
    self.parent = parent
    self.definition = definition
    name = request.name
    self.creation = creation ?? parent?.creation
    self.notes = notes ?? parent?.notes
    graph = parent?.graph ?? Graph()
  }

  /// The innermost factory of the current task, unless the task has outlived the resolve that it belongs to.
  static var active: AsyncContext? {
    guard let current, !current.graph.isOver else { return nil }
    return current
  }

  /// Where to note what the current task resolves, if that is for an instance that is going to be kept.
  static var noting: Notes? { TaskCreation.areRunning ? active?.notes : nil }

  /// The names of what is being created, outermost first.
  var path: [String] { (parent?.path ?? []) + [name] }

  /// Whether one of the factories is that of a registration.
  func isInside(_ definition: Definition) -> Bool {
    self.definition === definition || parent?.isInside(definition) == true
  }

  /// Whether a factory has led back to itself, which it may do a few times, and with other arguments as often as it wants.
  var isCircular: Bool {
    guard definition.arguments == nil else { return false }
    var (depth, next, isRepeated) = (1, parent, false)
    while let context = next {
      if context.definition.arguments != nil { return false }
      if context.definition === definition { isRepeated = true }
      (depth, next) = (depth + 1, context.parent)
    }
    return isRepeated && depth >= 16
  }
}
