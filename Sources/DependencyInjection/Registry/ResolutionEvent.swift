/// One resolution, as traces and tests show it.
///
/// ``DIContainer/trace(_:)`` passes events to a closure. A test with DITesting has a list of them.
public struct ResolutionEvent: Sendable {
  /// The requested key.
  package let key: Key

  /// A Boolean value that indicates whether a `Dependency` was requested.
  package let isOfDependency: Bool

  /// The registration that answers the key, even if no instance could be created from it; nil if there is none.
  package let answer: Answer?

  /// The number of the container that received the request.
  package let container: Int

  /// A Boolean value that indicates whether the code names the container: `DIContainer.shared.resolve()`.
  package let isContainerNamed: Bool

  /// The factories that were running, outermost first.
  let factories: [(type: Any.Type, name: DependencyName?)]

  /// The arguments that the resolution passed to a registration that ignores them.
  let passed: Box?

  /// The requested type, which is the alias if an alias was requested.
  public let type: Any.Type

  /// The requested name, if any.
  public let name: DependencyName?

  /// The location of the request.
  public let location: CodeLocation

  /// A Boolean value that indicates whether this resolution created the instance, instead of returning an existing one.
  public let isCreated: Bool

  /// The duration of the resolution, including everything that it created and waited for.
  public let duration: Duration

  /// A Boolean value that indicates whether a factory made the request.
  package var isNested: Bool { !factories.isEmpty }

  /// The number of factories that were running.
  package var depth: Int { factories.count }

  /// The names of the types that were being created, outermost first, followed by that of the requested type.
  ///
  /// They are assembled when this property is read.
  public var path: [String] { factories.map { displayName($0.type, $0.name) } + [asked] }

  /// The requested type and name, as paths show them.
  package var asked: String { displayName(type, name) }

  /// The location of the registration that answered; nil if there was none.
  public var registration: CodeLocation? { answer?.location }

  /// The argument, or the tuple of arguments, that was passed where a test's own value or the stub of an `Unexpected`
  /// answers; nil if there was none.
  ///
  /// The arguments of other registrations are not kept, because it is not known which other code uses them.
  public var arguments: Any? { passed?.value }

  /// The path and the location: `HomeViewModel → Router (Home/HomeViewModel.swift:12)`.
  package var pathAndPlace: String { "\(path.joined(separator: " → ")) (\(location))" }
}

extension ResolutionEvent: CustomStringConvertible {
  /// One line: `HomeViewModel → Router (Home/HomeViewModel.swift:12), created in 0.000012 seconds`.
  public var description: String { "\(pathAndPlace), \(isCreated ? "created" : "reused") in \(duration)" }
}

extension ResolutionEvent {
  /// A registration that answered a request.
  ///
  /// It keeps the conversions of `aliases:` alive, but neither the factory nor the values that the factory captured.
  package struct Answer: Sendable {
    /// The identity of the registration, which no other existing registration has.
    package let identity: ObjectIdentifier

    /// A Boolean value that indicates whether it is the declaration of a `Dependency`, and not an override of it.
    package let isDeclared: Bool

    /// The depth below the root of the container that has the registration itself, not only a decorator of it.
    package let level: Int

    /// The number of the container that has it, or its nearest decorator.
    package let container: Int

    /// The location of the registration.
    package let location: CodeLocation

    private let type: Any.Type
    private let aliases: [Alias]
    private let label: Label

    init(_ decorated: Definition, of key: Key, from owner: Registry) {
      let definition = decorated.root
      identity = ObjectIdentifier(definition)
      isDeclared = definition.isDeclared
      container = owner.number
      level = definition === decorated ? owner.level : owner.visibleRoot(of: key)?.level ?? 0
      location = definition.location
      type = definition.type
      aliases = definition.aliases
      label = definition.label
    }

    /// The keys of an instance: those of its own type and of its aliases.
    package var keys: [(key: Key, type: Any.Type)] {
      ([type] + aliases.map(\.type)).map { (Key($0, label), $0) }
    }
  }
}
