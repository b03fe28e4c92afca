/// One resolve, as ``DIContainer/trace(_:)`` shows it.
public struct ResolutionEvent: Sendable {
  /// What was asked for.
  package let key: Key

  /// A Boolean value that indicates whether it was a `Dependency`.
  package let isOfDependency: Bool

  /// The registration whose factory asked, if one did.
  let requester: Definition?

  /// What answers the key, even if nothing could be created from it; nil if nothing does.
  package let record: Registry.Record?

  /// How far below the root the container is that has the record; nil if nothing answers.
  package let level: Int?

  /// The type that was asked for: an alias counts as itself.
  public let type: Any.Type

  /// The name that was asked for, if it was one.
  public let name: DependencyName?

  /// The names of the types that were being created, outermost first, then that of the type.
  public let path: [String]

  /// Where it was asked for.
  public let location: SourceLocation

  /// A Boolean value that indicates whether the instance was created by this resolve.
  public let isCreated: Bool

  /// How long the resolve took, with everything that it created and waited for.
  public let duration: Duration

  /// Where the registration is written that answered; nil if none did.
  public var registration: SourceLocation? { record?.definition.location }

  /// How a resolve ended.
  enum Outcome { case created, reused, failed }
}

extension ResolutionEvent: CustomStringConvertible {
  /// One line: `HomeViewModel → Router (Home/HomeViewModel.swift:12), created in 0.000012 seconds`.
  public var description: String {
    "\(path.joined(separator: " → ")) (\(location)), \(isCreated ? "created" : "reused") in \(duration)"
  }
}
