/// The reason why a dependency could not be resolved.
///
/// `tryResolve` throws it; `resolve` traps with its ``description`` at the caller's file and line.
///
/// ```
/// No registration for 'Router'.
///   resolving  HomeViewModel → DeeplinkHandler → Router
///   asked at   Home/HomeViewModel.swift:12
///   note       RouterImpl is registered at App/Dependencies.swift:31; did you mean to register as `Router`?
/// ```
///
/// To show this text, print the error itself. The `localizedDescription` does not contain it, because Foundation
/// provides that property, and this library does not import Foundation.
public struct ResolutionError: Error, Sendable {
  /// The kind of a failure.
  ///
  /// More kinds may be added, so handle other kinds in a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as in the source.
    public let description: String

    /// Nothing is registered for the type.
    public static let missingRegistration = Code(description: "missingRegistration")

    /// The registered instance does not conform to an alias under which it is registered.
    public static let aliasMismatch = Code(description: "aliasMismatch")

    /// The instance that is registered as ``Weak`` is not an instance of a class.
    public static let notAnObject = Code(description: "notAnObject")

    /// The arguments of the resolution are not those that the registration takes.
    public static let wrongArguments = Code(description: "wrongArguments")

    /// The creation of the instance requires the instance itself.
    public static let cycle = Code(description: "cycle")

    /// The nested factories reach the limit, or nearly use up the stack of the thread.
    public static let tooDeep = Code(description: "tooDeep")

    /// The instance has to be created on another actor.
    public static let wrongActor = Code(description: "wrongActor")

    /// The instance has to be created asynchronously.
    public static let asynchronous = Code(description: "asynchronous")

    /// An instance that a container keeps depends on an instance with a shorter lifetime.
    public static let captiveDependency = Code(description: "captiveDependency")

    /// An optional type is registered, with or without a name.
    ///
    /// It is never resolved, because resolving an `A?` looks for an `A`.
    ///
    /// Only ``DIContainer/verify(except:arguments:)`` reports it.
    public static let optionalRegistration = Code(description: "optionalRegistration")

    /// The factory threw an error of its own.
    ///
    /// See ``ResolutionError/underlyingError``.
    public static let factoryFailed = Code(description: "factoryFailed")

    /// The registration was replaced while its instance was being created; the request searches again.
    static let outdated = Code(description: "outdated")
  }

  typealias Details = (
    code: Code, type: Any.Type, name: DependencyName?, summary: String, path: [String], location: CodeLocation,
    registration: (type: Any.Type, location: CodeLocation)?, cycle: String, notes: [String],
    underlyingError: (any Error)?
  )

  // A single reference, so that throwing the error costs no more than throwing none.
  private let box: Box

  init(_ details: Details) { box = Box(details) }

  private var details: Details { box.value() }

  /// A Boolean value that indicates whether the request has to search again; never inlined, because the details are large.
  @inline(never)
  var isOutdated: Bool { code == .outdated }

  /// The kind of the failure.
  public var code: Code { details.code }

  /// The type that could not be resolved.
  public var type: Any.Type { details.type }

  /// The name that was requested with the type, if any.
  public var name: DependencyName? { details.name }

  /// The names of the types that were being created, outermost first, followed by the type that was requested last.
  public var path: [String] { details.path }

  /// The location of the request.
  public var location: CodeLocation { details.location }

  /// The location of the registration that failed, if there is one.
  public var registration: CodeLocation? { details.registration?.location }

  /// The registration's own type, as opposed to an alias.
  var registeredType: Any.Type? { details.registration?.type }

  /// The registrations in a cycle, in a form that does not depend on where it was entered.
  var cycle: String { details.cycle }

  /// Suggestions: what may have been meant, and how to fix the failure.
  public var notes: [String] { details.notes }

  /// The error that the factory threw, if it threw one.
  public var underlyingError: (any Error)? { details.underlyingError }
}

extension ResolutionError: CustomStringConvertible {
  /// A multiline description: the failure, its path, its locations, and how to fix it.
  public var description: String {
    let details = details
    var path = details.path
    // A recursion may be thousands of factories deep. Its beginning and its end are enough.
    if path.count > 24 { path.replaceSubrange(12..<path.count - 11, with: ["… \(path.count - 23) more …"]) }
    var text = "\(details.summary)\n  resolving  \(path.joined(separator: " → "))\n  asked at   \(details.location)"
    if let registration { text += "\n  registered \(registration)" }
    if let cause = details.underlyingError { text += "\n  error      \(cause)" }
    for note in details.notes { text += "\n  note       \(note)" }
    return text
  }
}
