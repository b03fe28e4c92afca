/// One resolve, as a trace and a test show it.
///
/// ``DIContainer/trace(_:)`` hands them to a closure, and a test with DITesting has a list of them.
public struct ResolutionEvent: Sendable {
  /// What was asked for.
  package let key: Key

  /// A Boolean value that indicates whether it was a `Dependency`.
  package let isOfDependency: Bool

  /// What was being created, outermost first.
  let factories: [(type: Any.Type, name: DependencyName?)]

  /// The registration whose factory asked, if one did.
  var requester: Definition?

  /// What answers the key, even if nothing could be created from it; nil if nothing does.
  package internal(set) var record: Registry.Record?

  /// What is known of the registration that answers when that is gone.
  package let answer: Answer?

  /// How far below the root the container is that has the record; nil if nothing answers.
  package let level: Int?

  /// The number of the container that was asked.
  package let container: Int

  /// What a resolve has passed to a registration that ignores it.
  let passed: Box?

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

  /// A registration that has answered, of which nothing is kept alive.
  package struct Answer: Sendable {
    /// What tells it from all others that exist.
    package let identity: ObjectIdentifier

    fileprivate let location: SourceLocation
    private let type: Any.Type
    private let aliases: [Alias]
    private let label: Label

    init(_ definition: Definition) {
      identity = ObjectIdentifier(definition)
      location = definition.location
      type = definition.type
      aliases = definition.aliases
      label = definition.label
    }

    /// The keys under which an instance is found, with their types.
    package var keys: [(key: Key, type: Any.Type)] {
      (aliases.isEmpty ? [type] : aliases.map(\.type)).map { (Key($0, label), $0) }
    }
  }

  /// The event without what would keep factories alive, and what they have captured.
  package var released: ResolutionEvent {
    var event = self
    (event.requester, event.record) = (nil, nil)
    return event
  }

  /// A Boolean value that indicates whether a factory asked.
  package var isNested: Bool { !factories.isEmpty }

  /// How many factories were running.
  package var depth: Int { factories.count }

  /// The names of the types that were being created, outermost first, then that of the type.
  ///
  /// They are put together when they are read.
  public var path: [String] { factories.map { displayName($0.type, $0.name) } + [asked] }

  /// The type and the name that were asked for, as paths show them.
  package var asked: String { displayName(type, name) }

  /// Where the registration is written that answered; nil if none did.
  public var registration: SourceLocation? { answer?.location }

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
