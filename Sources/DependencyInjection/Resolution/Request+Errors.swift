// The errors of failed requests.

extension Request {
  private func error(
    _ code: ResolutionError.Code, _ summary: String, _ definition: Definition? = nil, cycle: [String]? = nil,
    closesCycle: Bool = false,
    notes: [String] = [], cause: (any Error)? = nil, isolation: (any Actor)? = nil
  ) -> ResolutionError {
    var path = ThreadState.current.fullPath
    // A decorator has the name of what it wraps, and is on the path already.
    if let cycle { path += cycle } else if decorator == nil { path.append(name) }
    // One round of the cycle is enough.
    if closesCycle, let before = path.dropLast().lastIndex(of: name) {
      let round = path[before..<path.count - 1]
      var start = before
      while start >= round.count, path[(start - round.count)..<start].elementsEqual(round) { start -= round.count }
      path.removeSubrange(start..<before)
    }
    return ResolutionError(
      .init(
        code: code, key: Key(type, label), type: type, name: label.name, summary: summary, path: path,
        location: location,
        registration: definition?.location, notes: notes, underlyingError: cause, isolation: isolation))
  }

  private var typeName: String { displayName(type) }

  func missingRegistration(_ notes: [String]) -> ResolutionError {
    let named = label.name.map { " named '\($0)'" } ?? ""
    return error(.missingRegistration, "No registration for '\(typeName)'\(named).", notes: notes)
  }

  func aliasMismatch(_ box: Box, _ definition: Definition) -> ResolutionError {
    let own = displayName(box.dynamicType)
    return error(
      .aliasMismatch, "'\(own)' is registered as '\(typeName)', but is not one.", definition,
      notes: ["let \(own) conform to \(typeName), or write `aliases: { $0 as \(typeName) }` to have it checked"])
  }

  func notAnObject(_ box: Box, _ definition: Definition) -> ResolutionError {
    error(
      .notAnObject, "'\(displayName(box.dynamicType))' is registered as Weak, but is not a class.", definition,
      notes: ["only instances of classes live as long as somebody holds them; use Shared, PerGraph or Scoped"])
  }

  /// Returns the error for a registration of an optional, if it is one.
  func optionalRegistration(_ definition: Definition) -> ResolutionError? {
    registeredOptional.map {
      let wrapped = displayName($0.wrappedType)
      return error(
        .optionalRegistration,
        "'\(wrapped)?' is registered, but resolves nothing: '\(wrapped)?' asks for a '\(wrapped)'.", definition,
        notes: ["unwrap it first, or register '\(wrapped)'"])
    }
  }

  func wrongArguments(_ definition: Definition, notes: [String] = []) -> ResolutionError {
    let takes =
      definition.takesArguments ? "takes arguments \(parameterList(definition.arguments))" : "takes no arguments"
    let got = arguments.type == Void.self ? "got none" : "got \(parameterList(arguments.type))"
    let cure =
      definition.takesArguments
      ? "pass them in the closure of the resolution: `resolve(\(typeName).self) { … }`"
      : "leave out the closure of the resolution"
    return error(
      .wrongArguments, "'\(typeName)' \(takes), \(got).", definition.root, notes: notes.isEmpty ? [cure] : notes)
  }

  /// Returns the error for an instance whose creation requires itself, through its own factory or through `others`.
  func cycle(_ definition: Definition, _ others: [String] = [], across kind: String = "threads") -> ResolutionError {
    let isAsync = definition.isAsync || CreationContext.ofTask != nil
    let later = isAsync ? "resolving one of these when it is needed" : "injecting one of these with `@LazyInject`"
    return error(
      .cycle, "'\(typeName)' depends on itself\(others.count > 1 ? ", across \(kind)" : "").", definition,
      cycle: others.count > 1 ? others : nil, closesCycle: others.count <= 1,
      notes: ["break the cycle by \(later), or by passing it after creation"])
  }

  /// Returns the error for a factory that is called inside of too many others.
  func endlessNesting(_ definition: Definition, _ others: String) -> ResolutionError {
    error(
      .cycle, "'\(typeName)' is created inside of \(others).", definition, closesCycle: true,
      notes: ["the arguments of a factory that leads back to itself must come to an end"])
  }

  func wrongActor(_ actor: any Actor, _ definition: Definition) -> ResolutionError {
    let place = actor is MainActor ? "the main actor" : "its actor, \(String(describing: Swift.type(of: actor)))"
    let advice =
      "use `await resolveAsync(\(typeName).self)`, or resolve it on \(place) first: an instance that exists is returned anywhere"
    return error(
      .wrongActor, "'\(typeName)' has to be created on \(place).", definition, notes: [advice], isolation: actor)
  }

  /// Returns the error for a synchronous request of an asynchronous factory: it names `resolveAsync`, or reports a
  /// cycle.
  func asynchronous(_ definition: Definition) -> ResolutionError {
    if CreationContext.ofTask?.isInside(definition) == true { return cycle(definition) }
    return error(
      .asynchronous, "'\(typeName)' has to be created asynchronously.", definition,
      notes: [
        "use `await resolveAsync(\(typeName).self)`, or resolve it so first: an instance that exists is returned anywhere"
      ] + (TrapHandling.current == nil ? [] : ["if the app does, register it first: a check goes in that order"])
    )
  }

  /// Returns the error for an error that a factory has thrown.
  func failure(_ cause: any Error, _ definition: Definition) -> ResolutionError {
    switch cause {
    // The inner error is complete, and its path starts further out than this one.
    case let inner as ResolutionError: inner
    case NestingError.cycle: cycle(definition)
    case NestingError.stackOverflow:
      endlessNesting(definition, "so many other factories that the stack is nearly used")
    default: error(.factoryFailed, "The factory of '\(typeName)' failed.", definition, cause: cause)
    }
  }
}

extension AnyOptional {
  /// Returns the warning for code that does something to the optional type.
  static func warning(_ mistake: String, _ advice: String) -> String {
    let wrapped = displayName(wrappedType)
    return "warning: '\(wrapped)?' is \(mistake): '\(wrapped)?' asks for a "
      + "'\(wrapped)'. \(advice) '\(wrapped)'."
  }
}
