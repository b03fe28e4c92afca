/// One resolve, as a trace and a test show it.
///
/// ``DIContainer/trace(_:)`` hands them to a closure, and a test with DITesting has a list of them.
public struct ResolutionEvent: Sendable {
  /// What is known, behind one reference, because tests keep many.
  let details: Details

  /// What was asked for.
  package var key: Key { details.key }

  /// A Boolean value that indicates whether it was a `Dependency`.
  package var isOfDependency: Bool { details.isOfDependency }

  /// What answers the key, even if nothing could be created from it; nil if nothing does.
  package var answer: Answer? { details.answer }

  /// The number of the container that was asked.
  package var container: Int { details.container }

  /// A Boolean value that indicates whether a factory asked.
  package var isNested: Bool { !details.factories.isEmpty }

  /// How many factories were running.
  package var depth: Int { details.factories.count }

  /// The type that was asked for: an alias counts as itself.
  public var type: Any.Type { details.type }

  /// The name that was asked for, if it was one.
  public var name: DependencyName? { details.name }

  /// Where it was asked for.
  public var location: SourceLocation { details.location }

  /// The task or the thread that asked.
  public var caller: Caller { details.caller }

  /// A Boolean value that indicates whether the instance was created by this resolve; otherwise there was one.
  public var isCreated: Bool { details.isCreated }

  /// How long the resolve took, with everything that it created and waited for.
  public var duration: Duration { details.duration }

  /// The names of the types that were being created, outermost first, then that of the type.
  ///
  /// They are put together when they are read.
  public var path: [String] { details.factories.map { displayName($0.type, $0.name) } + [asked] }

  /// The type and the name that were asked for, as paths show them.
  package var asked: String { displayName(type, name) }

  /// Where the registration is written that answered; nil if none did.
  public var registration: SourceLocation? { answer?.location }

  /// The argument, or the tuple of them, that was passed to what a test has overridden by a value; nil if there was none.
  ///
  /// What registrations with arguments get is not kept. The test knows who else uses the argument.
  public var arguments: Any? { details.passed?.value }

  /// The path and the place: `HomeViewModel → Router (Home/HomeViewModel.swift:12)`.
  package var pathAndPlace: String { "\(path.joined(separator: " → ")) (\(location))" }
}

extension ResolutionEvent: CustomStringConvertible {
  /// One line: `HomeViewModel → Router (Home/HomeViewModel.swift:12), created in 0.000012 seconds`.
  public var description: String { "\(pathAndPlace), \(isCreated ? "created" : "reused") in \(duration)" }
}

extension ResolutionEvent {
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

  /// A registration that has answered, of which nothing is kept alive: not its factory, nor what that has captured.
  package struct Answer: Sendable {
    /// What tells it from all others that exist.
    package let identity: ObjectIdentifier

    /// A Boolean value that indicates whether `registerDependencies` has registered it, or it is that of a `Dependency`.
    package let isDefault: Bool

    /// How far below the root the container is that has the registration.
    package let level: Int

    /// Where it is written.
    package let location: SourceLocation

    private let type: Any.Type
    private let aliases: [Alias]
    private let label: Label

    init(_ record: Registry.Record, level: Int) {
      let definition = record.definition
      identity = ObjectIdentifier(definition)
      isDefault = record.isDefault
      self.level = level
      location = definition.location
      type = definition.type
      aliases = definition.aliases
      label = definition.label
    }

    /// The keys of the types that an instance is of: its own and the aliases.
    package var keys: [(key: Key, type: Any.Type)] {
      ([type] + aliases.map(\.type)).map { (Key($0, label), $0) }
    }
  }

  /// What is known of a resolve.
  final class Details: Sendable {
    let key: Key
    let isOfDependency: Bool

    /// What was being created, outermost first.
    let factories: [(type: Any.Type, name: DependencyName?)]

    let answer: Answer?
    let container: Int

    /// What a resolve has passed to a registration that ignores it.
    let passed: Box?

    let type: Any.Type
    let name: DependencyName?
    let location: SourceLocation
    let caller: Caller
    let isCreated: Bool
    let duration: Duration

    init(
      key: Key, isOfDependency: Bool, factories: [(type: Any.Type, name: DependencyName?)], answer: Answer?,
      container: Int, passed: Box?, type: Any.Type, name: DependencyName?, location: SourceLocation, isCreated: Bool,
      duration: Duration
    ) {
      self.key = key
      self.isOfDependency = isOfDependency
      self.factories = factories
      self.answer = answer
      self.container = container
      self.passed = passed
      self.type = type
      self.name = name
      self.location = location
      caller = .current
      self.isCreated = isCreated
      self.duration = duration
    }
  }
}
