// What a failed resolve says.

extension DIContainer {
  private func error(
    _ code: ResolutionError.Code, _ summary: String, _ type: Any.Type, _ request: Request,
    on thread: UnsafeMutablePointer<ThreadState>, circle: [String]? = nil, _ definition: Definition? = nil,
    notes: [String] = [], underlying: (any Error)? = nil, isolation: (any Actor)? = nil
  ) -> ResolutionError {
    ResolutionError(
      code, type: type, summary: summary, path: unsafe thread.path() + (circle ?? [displayName(type)]),
      location: request.location, registration: definition?.location, notes: notes, underlyingError: underlying,
      isolation: isolation)
  }

  func missingRegistration(of type: Any.Type, _ request: Request) -> ResolutionError {
    unsafe error(
      .missingRegistration, "No registration for '\(displayName(type))'.", type, request, on: ThreadState.current,
      notes: nearMisses(of: type))
  }

  func aliasMismatch(
    _ box: Box, _ alias: Alias, _ definition: Definition, _ request: Request,
    on thread: UnsafeMutablePointer<ThreadState>
  ) -> ResolutionError {
    let own = displayName(box.dynamicType)
    let other = displayName(alias.type)
    return unsafe error(
      .aliasMismatch, "'\(own)' is registered as '\(other)', but is not one.", alias.type, request, on: thread,
      definition, notes: ["let \(own) conform to \(other), or write `aliases: { $0 as \(other) }` to have it checked"])
  }

  func wrongArguments(
    _ definition: Definition, for type: Any.Type, _ request: Request, on thread: UnsafeMutablePointer<ThreadState>
  ) -> ResolutionError {
    func list(_ type: Any.Type) -> String {
      let text = String(describing: type)
      return text.hasPrefix("(") ? text : "(\(text))"
    }
    let takes = definition.arguments.map { "takes arguments \(list($0))" } ?? "takes no arguments"
    let got = request.arguments.map { "got \(list($0.type))" } ?? "got none"
    return unsafe error(
      .wrongArguments, "'\(displayName(type))' \(takes), \(got).", type, request, on: thread, definition)
  }

  func cycle(
    _ otherThreads: [String], _ definition: Definition, for type: Any.Type, _ request: Request,
    on thread: UnsafeMutablePointer<ThreadState>
  ) -> ResolutionError {
    let isElsewhere = !otherThreads.isEmpty
    return unsafe error(
      .cycle, "'\(displayName(type))' depends on itself\(isElsewhere ? ", across threads" : "").", type, request,
      on: thread, circle: isElsewhere ? otherThreads : nil, definition,
      notes: ["break the circle by injecting one of these with `@LazyInject`, or by passing it after creation"])
  }

  func stackOverflow(
    _ definition: Definition, for type: Any.Type, _ request: Request, on thread: UnsafeMutablePointer<ThreadState>
  ) -> ResolutionError {
    unsafe error(
      .cycle, "'\(displayName(type))' is created inside of so many other factories that the stack is nearly used.",
      type,
      request, on: thread, definition,
      notes: ["the arguments of a factory that leads back to itself must come to an end"])
  }

  func wrongActor(
    _ actor: any Actor, _ definition: Definition, for type: Any.Type, _ request: Request,
    on thread: UnsafeMutablePointer<ThreadState>
  ) -> ResolutionError {
    let name = actor is MainActor ? "the main actor" : "its actor, \(String(describing: Swift.type(of: actor)))"
    return unsafe error(
      .wrongActor, "'\(displayName(type))' has to be created on \(name).", type, request, on: thread, definition,
      notes: [
        "use `await resolveAsync(\(displayName(type)).self)`, or resolve it on \(name) first: "
          + "an instance that exists is returned anywhere"
      ], isolation: actor)
  }

  func factoryFailed(
    _ cause: any Error, _ definition: Definition, for type: Any.Type, _ request: Request,
    on thread: UnsafeMutablePointer<ThreadState>
  ) -> ResolutionError {
    unsafe error(
      .factoryFailed, "The factory of '\(displayName(type))' failed.", type, request, on: thread, definition,
      underlying: cause)
  }

  // MARK: Near misses

  /// What may have been meant when nothing is registered for a type.
  private func nearMisses(of type: Any.Type) -> [String] {
    let wanted = displayName(type)
    var notes: [String] = []
    var next: DIContainer? = self
    while let container = next {
      let definitions = container.state.withLock { $0.registry.records.values.map(\.definition) }
      var seen: Set<ObjectIdentifier> = []
      for definition in definitions where seen.insert(ObjectIdentifier(definition)).inserted {
        for other in definition.types {
          if let note = nearMiss(other, definition, for: type, wanted) { notes.append(note) }
        }
        if !definition.aliases.isEmpty, definition.type == type {
          let aliases = definition.types.map { "'\(displayName($0))'" }.joined(separator: ", ")
          notes.append(
            "\(wanted) is registered as \(aliases) at \(definition.location), and only as that; add `\(wanted).self`")
        }
      }
      next = container.parent
    }
    return notes.sorted()
  }

  private func nearMiss(_ other: Any.Type, _ definition: Definition, for type: Any.Type, _ wanted: String) -> String? {
    let name = displayName(other)
    let place = "is registered at \(definition.location)"
    if let optional = asOptional(other), optional.wrappedType == type {
      return "the optional '\(wanted)?' \(place), which answers no resolve; register '\(wanted)' itself"
    }
    if name == wanted {
      return "another type of that name, '\(String(reflecting: other))', \(place); "
        + "'\(String(reflecting: type))' was asked for"
    }
    if definition.aliases.isEmpty, name.hasPrefix(wanted) || name.hasSuffix(wanted) {
      return "\(name) \(place); did you mean `as: \(wanted).self`?"
    }
    return nil
  }
}
