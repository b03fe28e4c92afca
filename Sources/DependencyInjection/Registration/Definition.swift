/// The declaration of one registration: its factory, its lifetime, and the types and the label under which it is found.
///
/// It is public only because a public protocol requires it.
@_documentation(visibility: internal)
public final class Definition: @unchecked Sendable {
  // Unchecked: the closures are `Sendable`, or isolated to `isolation`. `label` is set before other code has the definition.

  /// The type of the factory's result.
  package let type: Any.Type
  /// The factory, in a closure whose type is the same for all registrations.
  let create: Create
  /// The type of the tuple of arguments that a resolution has to pass.
  let arguments: Any.Type
  /// The name, or the `Dependency`, that distinguishes the registration from others of the same type.
  @safe @exclusivity(unchecked)
  private(set) var label: Label
  /// The lifetime of an instance.
  package let lifetime: Lifetime
  /// The bit of the type in the mask of a frame; 0 for a factory that takes arguments.
  let frameMask: UInt64
  /// The location of the registration.
  package let location: CodeLocation
  private let details: Details?
  /// A Boolean value that indicates whether there are no details; stored, because a debug build takes a long time to
  /// compare them with nil.
  let isPlain: Bool

  /// Initializes memory with an instance.
  ///
  /// The arguments have the types that the definition names.
  @usableFromInline
  typealias Create = (Resolver, Arguments, InstanceMemory) throws -> Void

  /// Creates an instance asynchronously.
  @usableFromInline
  typealias CreateAsync = @concurrent @Sendable (Resolver, Arguments) async throws -> Box

  /// The asynchronous form of a factory, whether it is the only form, and the types that the factory resolves, if they
  /// are known.
  @usableFromInline
  typealias AsyncForm = (create: CreateAsync, isOnly: Bool, parameters: [Any.Type])

  @usableFromInline
  typealias ArgumentList = @Sendable (Arguments) -> [AnyHashable]

  /// The properties that only a few registrations have.
  ///
  /// The others are smaller without them, and an app may have thousands of registrations.
  final class Details: Sendable {
    let isolation: (any Actor)?
    let aliases: [Alias]
    let asyncForm: AsyncForm?
    let argumentList: ArgumentList?
    let decoration: Decoration?

    init(
      isolation: (any Actor)? = nil, aliases: [Alias] = [], asyncForm: AsyncForm? = nil,
      argumentList: ArgumentList? = nil, decoration: Decoration? = nil
    ) {
      (self.isolation, self.aliases, self.asyncForm) = (isolation, aliases, asyncForm)
      (self.argumentList, self.decoration) = (argumentList, decoration)
    }
  }

  init(
    _ type: Any.Type, _ create: @escaping Create, lifetime: Lifetime, arguments: Any.Type = Void.self, label: Label,
    location: CodeLocation, _ details: Details? = nil
  ) {
    (self.type, self.create, self.arguments) = (type, create, arguments)
    (self.label, self.lifetime, self.location) = (label, lifetime, location)
    self.details = details
    if case .none = details { isPlain = true } else { isPlain = false }
    let hash = Key.hash(UInt(bitPattern: ObjectIdentifier(type)))
    frameMask = arguments == Void.self ? 1 &<< UInt64(truncatingIfNeeded: hash &>> (UInt(UInt.bitWidth) &- 6)) : 0
    if !isPlain { checkAliases() }
  }
}

extension Definition {
  /// The name, if the label is one.
  package var name: DependencyName? { label.name }

  /// A Boolean value that indicates whether the only key is that of its own type.
  // Not `isEmpty`, because a debug build calls the generic implementation in `Collection`, which takes longer.
  @_transparent
  var hasOneKey: Bool { if let details { details.aliases.count == 0 } else { true } }

  /// A Boolean value that indicates whether an instance belongs to the container that registers it, whichever container
  /// is asked.
  @_transparent
  var belongsToOwner: Bool {
    switch lifetime {
    case .shared, .weak: true
    case .scoped(let scope): !scope.isContainer
    case .new, .perGraph: false
    }
  }

  /// A Boolean value that indicates whether the state of the instance is in the cell of the only key.
  @_transparent
  var hasStateInCell: Bool {
    if !belongsToOwner { return false }
    return isPlain ? true : hasOneKey && argumentList == nil
  }

  /// A Boolean value that indicates whether a table may hold the instance, which is then the same for every request for
  /// a key.
  @_transparent
  var hasOneInstance: Bool {
    if isPlain, case .shared = lifetime { return true }
    return isKept && belongsToOwner && argumentList == nil
  }

  /// A Boolean value that indicates whether a container keeps an instance alive.
  @_transparent
  var isKept: Bool {
    switch lifetime {
    case .shared, .scoped: true
    case .new, .weak, .perGraph: false
    }
  }

  /// A Boolean value that indicates whether a table may hold the factory, which every thread can then call, and whose
  /// result has the type of the key.
  var isPublishedFactory: Bool {
    guard case .new = lifetime else { return false }
    guard let details else { return true }
    return !isAsync && details.isolation == nil && hasOneKey && decoration == nil
  }

  /// The actor that the factory is isolated to, if any.
  @_transparent
  var isolation: (any Actor)? { details?.isolation }

  /// The types under which the instance is found in addition to its own.
  @_transparent
  var aliases: [Alias] { details?.aliases ?? [] }

  /// The asynchronous form of the factory, if it has one.
  @_transparent
  var asyncForm: AsyncForm? { details?.asyncForm }

  /// The closure that lists the arguments of a resolution, if there is one instance for each list.
  @_transparent
  var argumentList: ArgumentList? { details?.argumentList }

  /// The decoration, if a decorator creates the instances.
  @_transparent
  var decoration: Decoration? { details?.decoration }

  /// Creates the definition of a registration that is found under several types.
  @usableFromInline
  convenience init<each Other>(
    _ lifetime: Lifetime, _ type: Any.Type, _ create: @escaping Create = Definition.trapSynchronously,
    isolation: (any Actor)? = nil, asyncForm: AsyncForm? = nil, arguments: Any.Type = Void.self,
    as aliases: repeat (each Other).Type, named name: DependencyName? = nil, _ file: StaticString, _ line: UInt
  ) {
    var list: [Alias] = []
    for alias in repeat each aliases { list.append(Alias(alias)) }
    let details: Details? =
      if list.count == 0, isolation == nil, asyncForm == nil {
        nil
      } else {
        Details(isolation: isolation, aliases: list, asyncForm: asyncForm)
      }
    self.init(
      type, create, lifetime: lifetime, arguments: arguments, label: Label(name),
      location: CodeLocation(file: file, line: line), details)
  }

  /// Traps, in place of the synchronous form that an asynchronous factory lacks.
  @usableFromInline
  static func trapSynchronously(_: Resolver, _: Arguments, _: InstanceMemory) throws {
    preconditionFailure("The factory is asynchronous.")
  }

  /// Returns a copy of the definition with another lifetime, and, if given, another label or one instance for each list
  /// of arguments.
  @usableFromInline
  func with(lifetime: Lifetime, label: Label? = nil, argumentList: ArgumentList? = nil) -> Definition {
    var details = details
    // Only a synchronous factory without aliases has a list of arguments.
    if let argumentList { details = Details(isolation: isolation, argumentList: argumentList) }
    return Definition(
      type, create, lifetime: lifetime, arguments: arguments, label: label ?? self.label,
      location: location, details)
  }

  /// Makes this definition the declaration of a `Dependency`, and the `Dependency` its label.
  ///
  /// - Returns: The definition, which no other code has yet. It is never released, so no other key ever has its
  ///   address.
  @usableFromInline
  func declared() -> Unowned<Definition> {
    let declaration = unsafe Unowned(Unmanaged.passRetained(self).takeUnretainedValue())
    label = .dependency(declaration)
    return declaration
  }

  /// A Boolean value that indicates whether a resolution has to pass arguments.
  var takesArguments: Bool { arguments != Void.self && !ignoresArguments }

  /// A Boolean value that indicates whether a resolution may pass any arguments, which are ignored.
  var ignoresArguments: Bool { arguments == Arguments.self }

  /// A Boolean value that indicates whether the factory is asynchronous.
  @_transparent
  var isAsync: Bool { details?.asyncForm?.isOnly == true }

  /// The location of the `Dependency` that it declares or overrides; nil for a type.
  package var declarationLocation: CodeLocation? { label.declaration?.location }

  /// A Boolean value that indicates whether the registration is the declaration of a `Dependency`, and not an override
  /// of it.
  package var isDeclared: Bool { if let declaration = label.declaration { root === declaration } else { false } }

  // MARK: Keys

  /// The key of its own type.
  @_transparent
  var key: Key { Key(type, label) }

  /// The keys under which the instance is found, with their types: its aliases, and its own type.
  package var keys: [(key: Key, type: Any.Type)] {
    var keys = aliases.map { (key: Key($0.type, label), type: $0.type) }
    if !aliases.contains(where: { $0.type == type }) { keys.append((key, type)) }
    return keys
  }

  /// The types that the registration names: its aliases, or else its own.
  package var types: [Any.Type] { hasOneKey ? [type] : aliases.map(\.type) }

  /// Traps if an alias is a class to which no instance can belong.
  ///
  /// Every other mismatch shows when the alias is resolved.
  private func checkAliases() {
    for alias in aliases where alias.convert == nil {
      guard type is AnyObject.Type, alias.type is AnyObject.Type else { continue }
      if [type, alias.type].contains(where: MetadataKind.foreignClass.isKind) { continue }
      if !isSubtype(type, of: alias.type) && !isSubtype(alias.type, of: type) {
        fatalError(
          """
          '\(displayName(type, beside: [alias.type]))' is registered as '\(displayName(alias.type, beside: [type]))', \
          but is neither that class nor a subclass.
          """,
          file: location.file, line: location.line)
      }
    }
  }
}

/// Another type under which an instance is found, with the conversion to that type.
struct Alias: @unchecked Sendable {
  // Unchecked: `convert` was sent here, and its documentation requires that it has no shared mutable state.

  /// The type of the alias.
  let type: Any.Type
  /// Converts a box of the instance to a box of the alias; nil for a dynamic cast.
  let convert: ((Box) -> Box)?

  /// Creates an alias to which instances are cast.
  init(_ type: Any.Type) {
    self.type = type
    convert = nil
  }

  /// Creates an alias to which a closure converts.
  init<Value, Other>(_ convert: @escaping (Value) -> Other) {
    type = Other.self
    self.convert = { Box(convert($0.value())) }
  }

  /// Returns a box of the instance as the alias, or nil if the instance does not conform to it.
  func view(of box: Box) -> Box? { convert?(box) ?? box.cast(to: type) }
}

// MARK: - Functions

extension Definition {
  /// Traps if the value of an expression is a function.
  ///
  /// The compiler takes a function for an expression if it is not `Sendable`, or has parameters without a source. In the
  /// Swift 5 language mode, an initializer is not `Sendable` in code that is isolated to an actor.
  @usableFromInline
  static func rejectFunction(_ type: Any.Type, _ file: StaticString, _ line: UInt) {
    guard MetadataKind.function.isKind(of: type) else { return }
    fatalError(
      """
      '\(displayName(type))' is a function, and its result would never be created.
        note       pass a closure whose first parameter is the resolver: `{ resolve in … }`, with arguments `{ _, id in … }`
        note       for an initializer whose parameters are dependencies, write `autowire:`: `New(autowire: RouterImpl.init)`
        note       the closure must be `@Sendable`, or isolated to an actor: `{ @MainActor resolve in … }`, without `onMain:`
        note       to register the function itself, return it from a closure
      """, file: file, line: line)
  }

  /// Creates the definition for a function that takes the arguments of a resolution.
  @inlinable
  convenience init<Value, each Argument>(
    _ lifetime: Lifetime, passing make: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Value,
    _ file: StaticString, _ line: UInt
  ) {
    let call = withoutIsolation(make)
    let create: Create = { _, arguments, memory in
      let values = arguments.value(as: (repeat each Argument).self)
      try memory.initialize { try call(repeat each values) }
    }
    self.init(
      lifetime, Value.self, create, isolation: make.isolation, arguments: (repeat each Argument).self, file, line)
  }
}

/// The arguments of a resolution: a value of any type, borrowed from the caller for the duration of the resolution.
@safe
@usableFromInline
@frozen
struct Arguments {
  /// The type of the argument, or of the tuple of arguments.
  @usableFromInline
  let type: Any.Type

  @usableFromInline
  let pointer: UnsafeRawPointer

  /// Borrows a value.
  ///
  /// The pointer must stay valid as long as the arguments are used.
  @unsafe
  @_transparent
  @usableFromInline
  init(_ type: Any.Type, at pointer: UnsafeRawPointer) {
    self.type = type
    unsafe self.pointer = pointer
  }

  /// The empty arguments.
  // Sound: reading a value without a size reads no memory.
  @_transparent
  @usableFromInline
  static var none: Arguments { unsafe Arguments(Void.self, at: UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped) }

  /// Borrows the value in a box, which must be kept as long as the arguments are used.
  init(_ box: Box) { unsafe self.init(box.type, at: box.memory.pointer) }

  /// Returns the value, which must have been borrowed as a `Value`.
  @inlinable
  func value<Value>(as _: Value.Type = Value.self) -> Value {
    // Sound: every caller has compared the type, or opened it.
    unsafe pointer.assumingMemoryBound(to: Value.self).pointee
  }

  /// The individual arguments.
  var elements: [Arguments] {
    // Sound: the elements of a tuple are at their offsets.
    tupleElements(of: type).map { unsafe Arguments($0.type, at: pointer + $0.offset) }
  }

  /// A copy of the arguments.
  var box: Box {
    func open<Passed>(_: Passed.Type) -> Box { Box(value(as: Passed.self)) }
    return _openExistential(type, do: open)
  }
}
