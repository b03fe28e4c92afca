/// A type that can be registered with a container: ``Shared``, ``New``, a ``Module``, or a type of your own.
///
/// Conform a type to this protocol to group registrations that need parameters:
///
/// ```swift
/// struct Networking: Registration {
///   let host: String
///
///   func add(to list: inout RegistrationList) {
///     let host = host
///     list.add(Shared(HTTPClient(host: host) as Client))
///   }
/// }
/// ```
public protocol Registration: Sendable {
  /// Adds the registrations that this value stands for to a list, which is registered as a whole.
  ///
  /// - Parameter list: The list of registrations, in order. A later one replaces an earlier one of the same type.
  func add(to list: inout RegistrationList)
}

/// Registrations that belong together, such as those of one feature.
///
/// A module lets a part of an app provide its dependencies without exposing their types:
///
/// ```swift
/// extension Module {
///   public static let search = Module {
///     Shared(SearchImpl() as Search)
///     New(SearchViewModelImpl() as SearchViewModel)
///   }
/// }
///
/// DIContainer.register(Module.search)
/// ```
///
/// Creating a module creates no instance. Registering a module registers everything in it at once.
@frozen
public struct Module: Registration {
  /// The first registration.
  ///
  /// It is kept separately, because most lists have only one.
  @usableFromInline
  private(set) var first: Definition?

  /// The other registrations, in order.
  @usableFromInline
  private(set) var others: [Definition]?

  /// The actions to perform with the container once it has the registrations.
  @usableFromInline
  private(set) var actions: [@Sendable (DIContainer) -> Void]?

  /// Creates an empty module.
  @inlinable
  public init() {}

  /// Creates a module of one registration.
  ///
  /// - Parameter registration: The registration.
  public init(_ registration: some Registration) {
    self.init()
    add(registration)
  }

  /// Creates a module of any number of registrations.
  ///
  /// - Parameter registrations: The registrations, in order.
  public init(@RegistrationBuilder _ registrations: () -> RegistrationList) {
    self = registrations()
  }

  /// Creates a module of registrations.
  package init(_ definitions: [Definition]) {
    self.init()
    for definition in definitions { add(definition) }
  }

  /// Adds a registration, or everything that it stands for.
  ///
  /// - Parameter registration: The registration.
  @inlinable
  public mutating func add(_ registration: some Registration) {
    registration.add(to: &self)
  }

  @inlinable
  @inline(__always)
  mutating func add(_ definition: consuming Definition) {
    if case .none = first { first = definition } else { append(definition) }
  }

  @usableFromInline
  mutating func append(_ definition: Definition) {
    if others == nil { others = [definition] } else { others!.append(definition) }
  }

  /// Adds an action to perform with the container once it has the registrations.
  package mutating func addAction(_ action: @escaping @Sendable (DIContainer) -> Void) {
    actions = (actions ?? []) + [action]
  }

  /// Calls `body` with each registration, in order.
  package func forEach(_ body: (Definition) -> Void) {
    if let first { body(first) }
    others?.forEach(body)
  }

  /// A list of the same registrations, with the decorators after all others; callers ignore its actions.
  var withDecoratorsLast: RegistrationList {
    if others == nil { return self }
    var list = RegistrationList()
    forEach { if !$0.isDecoration { list.add($0) } }
    forEach { if $0.isDecoration { list.add($0) } }
    return list
  }

  /// Adds the registrations to another list.
  ///
  /// - Parameter list: The other list.
  public func add(to list: inout RegistrationList) {
    // An empty list becomes the module, without copying it.
    if list.first == nil, list.actions == nil { return list = self }
    forEach { list.add($0) }
    actions?.forEach { list.addAction($0) }
  }
}

/// The registrations that one call of `register` makes at once: a module to which each registration adds itself.
public typealias RegistrationList = Module

/// A result builder that collects registrations from a closure with `if`, `switch`, `for`, and `#available`.
@resultBuilder
public enum RegistrationBuilder {
  /// Adds one registration.
  public static func buildExpression(_ registration: some Registration) -> RegistrationList {
    RegistrationList(registration)
  }

  /// Explains that a statement is not a registration.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "list what to register: 'Shared { … }', or 'dependency.overridden { … }'")
  public static func buildExpression(_ statement: Void) -> RegistrationList { RegistrationList() }

  /// Explains that an expression is not a registration.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: """
      register an instance as 'Shared(…)', for example; if a type of yours has that name, write 'DependencyInjection.Shared(…)'
      """
  )
  @_disfavoredOverload
  public static func buildExpression<Other>(_ expression: Other) -> RegistrationList { RegistrationList() }

  /// Returns the list of the only statement of a block.
  public static func buildBlock(_ list: RegistrationList) -> RegistrationList {
    list
  }

  /// Joins the statements of a block.
  public static func buildBlock(_ lists: RegistrationList...) -> RegistrationList {
    buildArray(lists)
  }

  /// Handles `if` without `else`.
  public static func buildOptional(_ list: RegistrationList?) -> RegistrationList {
    list ?? RegistrationList()
  }

  /// Handles the first branch of `if` and `switch`.
  public static func buildEither(first list: RegistrationList) -> RegistrationList {
    list
  }

  /// Handles the other branches of `if` and `switch`.
  public static func buildEither(second list: RegistrationList) -> RegistrationList {
    list
  }

  /// Joins the iterations of a `for` loop.
  public static func buildArray(_ lists: [RegistrationList]) -> RegistrationList {
    var joined = RegistrationList()
    for list in lists { joined.add(list) }
    return joined
  }
}

/// A container that registers an app's dependencies by itself, when it is first used.
///
/// ```swift
/// extension DIContainer: DependencyInjection.DependencyRegistering {
///   public static func registerDependencies() {
///     register(Shared(RouterImpl() as Router))
///   }
/// }
/// ```
///
/// The name of the module in front of the protocol avoids a warning about a retroactive conformance.
///
/// The container calls the method once, when ``DIContainer/shared`` is first used, with that container as the current
/// one. Other threads that use the container in the meantime wait. Every other registration comes later, so it replaces
/// an earlier one of the same type.
public protocol DependencyRegistering: Sendable {
  /// Registers the dependencies, with the static `register` methods.
  static func registerDependencies()
}

// MARK: - What is registered

extension RegistrationList {
  /// Returns the keys of the registrations that satisfy a predicate.
  func keys(where isIncluded: (Definition) -> Bool) -> Set<Key> {
    var keys: Set<Key> = []
    forEach { if isIncluded($0) { keys.formUnion($0.keys.map(\.key)) } }
    return keys
  }
}

extension Definition {
  /// Writes a warning if the registration has an optional type, which no resolution finds.
  ///
  /// A `Dependency` of an optional type is found by its declaration.
  // Inlined, so that nothing is retained for nearly all registrations.
  @_transparent
  func warnOfOptional() {
    if hasOneKey, !MetadataKind.optional.isKind(of: type) { return }
    warnOfEachOptionalType()
  }

  /// Writes a warning for each optional type.
  private func warnOfEachOptionalType() {
    for (_, type) in keys where label.declaration == nil {
      guard let optional = asOptional(type) else { continue }
      let (name, wrapped) = (optional.name, displayName(optional.wrappedType))
      let (mistake, advice) =
        decoration == nil
        ? ("registered at \(location), but never resolved", "Unwrap it first, or register")
        : ("decorated at \(location), but never resolved", "Decorate")
      CLibrary.writeError(
        "warning: '\(name)' is \(mistake): '\(name)' asks for '\(wrapped)'. \(advice) '\(wrapped)'.")
    }
  }
}
