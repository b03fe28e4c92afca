/// Why a dependency could not be resolved.
///
/// `tryResolve` throws it; `resolve` traps with its ``description`` at the caller's file and line.
///
/// ```
/// No registration for 'Router'.
///   resolving  HomeViewModel → DeeplinkHandler → Router
///   asked at   Home/HomeViewModel.swift:12
///   note       RouterImpl is registered at App/Dependencies.swift:31; did you mean `as: Router.self`?
/// ```
public struct ResolutionError: Error, Sendable {
  /// What kind of failure this is.
  ///
  /// More kinds may be added, so handle others in a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as in the source.
    public let description: String

    /// Nothing is registered for the type.
    public static let missingRegistration = Code(description: "missingRegistration")

    /// The registered instance does not conform to the alias it is registered under.
    public static let aliasMismatch = Code(description: "aliasMismatch")

    /// What is registered as ``Weak`` is not an instance of a class.
    public static let notAnObject = Code(description: "notAnObject")

    /// The arguments of the resolve are not those that the registration takes.
    public static let wrongArguments = Code(description: "wrongArguments")

    /// To create the instance it would have to exist already.
    public static let cycle = Code(description: "cycle")

    /// The instance has to be created on another actor.
    public static let wrongActor = Code(description: "wrongActor")

    /// The instance has to be created asynchronously.
    public static let asynchronous = Code(description: "asynchronous")

    /// An instance that is kept was created with one that is not meant to live as long.
    public static let captiveDependency = Code(description: "captiveDependency")

    /// An optional is registered by its type or a name, and answers no resolve: to ask for `A?` is to ask for an `A`.
    ///
    /// Only ``DIContainer/verify(except:arguments:)`` reports it.
    public static let optionalRegistration = Code(description: "optionalRegistration")

    /// The factory threw an error of its own, found in ``ResolutionError/underlyingError``.
    public static let factoryFailed = Code(description: "factoryFailed")
  }

  struct Details: Sendable {
    let code: Code
    var key: Key?
    let type: Any.Type
    let name: DependencyName?
    let summary: String
    let path: [String]
    let location: SourceLocation
    let registration: SourceLocation?
    let notes: [String]
    var underlyingError: (any Error)?
    var isolation: (any Actor)?
  }

  // One reference, so that a function that throws it costs no more than one that does not.
  private let box: Box

  init(_ details: Details) { box = Box(details) }

  private var details: Details { box.value() }

  /// The kind of the failure.
  public var code: Code { details.code }

  /// The type that could not be resolved.
  public var type: Any.Type { details.type }

  /// The name that was asked for with it, if one was.
  public var name: DependencyName? { details.name }

  /// The names of the types that were being created, outermost first, and of the one that was asked for last.
  public var path: [String] { details.path }

  /// Where the type was asked for.
  public var location: SourceLocation { details.location }

  /// Where the registration is written that failed, if there is one.
  public var registration: SourceLocation? { details.registration }

  /// What may have been meant, and what to do about it.
  public var notes: [String] { details.notes }

  /// What was asked for.
  var key: Key? { details.key }

  /// The actor that the instance has to be created on, if that is what failed.
  var isolation: (any Actor)? { details.isolation }

  /// What the factory threw, if it threw.
  public var underlyingError: (any Error)? { details.underlyingError }
}

extension ResolutionError: CustomStringConvertible {
  /// The whole story, over several lines: what failed, on which path, where, and what to do.
  public var description: String {
    var lines = [details.summary]
    // A recursion may be thousands of factories deep; its beginning and its end tell it all.
    let shown = path.count <= 24 ? path : path.prefix(12) + ["… \(path.count - 23) more …"] + path.suffix(11)
    lines.append("  resolving  \(shown.joined(separator: " → "))")
    lines.append("  asked at   \(location)")
    if let registration { lines.append("  registered \(registration)") }
    if let underlyingError { lines.append("  error      \(underlyingError)") }
    lines += notes.map { "  note       \($0)" }
    return lines.joined(separator: "\n")
  }
}
