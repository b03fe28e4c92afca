/// One resolve, as a trace and a test show it.
///
/// ``DIContainer/trace(_:)`` hands them to a closure, and a test with DITesting has a list of them.
public struct ResolutionEvent: Sendable {
  /// What was asked for.
  package let key: Key

  /// A Boolean value that indicates whether it was a `Dependency`.
  package let isOfDependency: Bool

  /// The factories that were running, outermost first.
  private let factories: [PathEntry]

  /// What answers the key, even if nothing could be created from it; nil if nothing does.
  package let record: Registry.Record?

  /// How far below the root the container is that has the record; nil if nothing answers.
  package let level: Int?

  /// The number of the container that was asked.
  package let container: Int

  /// What a resolve has passed to a registration that ignores it.
  private let passed: Box?

  /// The type that was asked for: an alias counts as itself.
  public let type: Any.Type

  /// The name that was asked for, if it was one.
  public let name: DependencyName?

  /// Where it was asked for.
  public let location: SourceLocation

  /// The task or the thread that asked.
  public let caller: Caller

  /// A Boolean value that indicates whether the instance was created by this resolve; otherwise there was one.
  public let isCreated: Bool

  /// How long the resolve took, with everything that it created and waited for.
  public let duration: Duration

  /// A task or a thread.
  public enum Caller: Hashable, Sendable {
    /// A task. Two tasks have different numbers while both exist.
    case task(UInt)

    /// A thread on which no task runs. Two threads have different numbers while both exist.
    case thread(UInt)

    /// The one that runs the calling code.
    package static var current: Caller {
      unsafe withUnsafeCurrentTask { task in
        unsafe task.map { unsafe .task(UInt(bitPattern: $0.hashValue)) } ?? .thread(SystemThread.number)
      }
    }
  }

  /// How a resolve ended.
  enum Outcome { case created, reused, failed }

  /// What the calling code has resolved from a container.
  ///
  /// - Parameters:
  ///   - request: What it has asked for.
  ///   - found: The registration that answers; nil if there is none.
  ///   - outcome: Whether the instance was created, reused, or could not be created.
  ///   - all: The type, if everything registered for it was requested.
  ///   - container: The container.
  init(
    _ request: Request, _ found: FoundRegistration?, _ outcome: Outcome, ofAll all: Any.Type?,
    from container: DIContainer
  ) {
    key = all.map { .names(of: $0) } ?? request.key
    isOfDependency = request.label.declaration != nil
    factories = ThreadState.current.path
    record = found?.record
    level = found?.owner.level
    self.container = container.number
    passed = found?.definition.ignoresArguments == true ? request.arguments.boxed : nil
    type = all ?? request.type
    name = request.label.name
    location = request.location
    caller = .current
    isCreated = outcome == .created
    duration = request.start.map { Request.now - $0 } ?? .zero
  }

  /// The registration whose factory asked, if one did.
  var requester: Definition? { factories.last?.definition }

  /// A Boolean value that indicates whether a factory asked.
  package var isNested: Bool { !factories.isEmpty }

  /// How many factories were running.
  package var depth: Int { factories.count }

  /// The names of the types that were being created, outermost first, then that of the type.
  ///
  /// They are put together when they are read.
  public var path: [String] { factories.map(\.name) + [asked] }

  /// The type and the name that were asked for, as paths show them.
  package var asked: String { displayName(type, name) }

  /// Where the registration is written that answered; nil if none did.
  public var registration: SourceLocation? { record?.definition.location }

  /// The argument, or the tuple of them, that was passed to what a test has overridden by a value; nil if there was none.
  ///
  /// What registrations with arguments get is not kept. The test knows who else uses the argument.
  public var arguments: Any? { passed?.value }

  /// The path and the place: `HomeViewModel → Router (Home/HomeViewModel.swift:12)`.
  package var pathAndPlace: String { "\(path.joined(separator: " → ")) (\(location))" }
}

extension ResolutionEvent: CustomStringConvertible {
  /// One line: `HomeViewModel → Router (Home/HomeViewModel.swift:12), created in 0.000012 seconds`.
  public var description: String { "\(pathAndPlace), \(isCreated ? "created" : "reused") in \(duration)" }
}
