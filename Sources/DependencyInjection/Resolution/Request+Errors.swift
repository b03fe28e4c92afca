// The errors of failed requests.

extension Request {
  private func error(
    _ code: ResolutionError.Code, _ summary: String, _ definition: Definition? = nil, of type: Any.Type? = nil,
    path: [String]? = nil, cycle: [PathEntry] = [], notes: [String] = [], cause: (any Error)? = nil
  ) -> ResolutionError {
    let type = type ?? self.type
    let path = path ?? names + (isOfDecorator ? [] : [displayName(type, label.name, beside: types)])
    let roots = cycle.map(\.definition.root).map { "\(displayName($0.type, $0.label.name)) \($0.location)" }
    return ResolutionError(
      (
        code: code, type: type, name: label.name, summary: summary, path: path, location: location,
        registration: definition.map { ($0.type, $0.location) },
        cycle: Set(roots).sortedUnspecialized(by: <).joined(separator: " "), notes: notes, underlyingError: cause
      ))
  }

  private var typeName: String { displayName(type, beside: types) }

  /// The name of the type in a path.
  private var name: String { displayName(type, label.name, beside: types) }

  /// The types that an error names in addition to the requested type.
  private var types: [Any.Type] { path.map(\.type) }

  /// The names of the types whose factories run around the request.
  private var names: [String] { names(of: path) }

  /// Returns the names of types in a path or a cycle.
  func names(of entries: [PathEntry]) -> [String] {
    let types = entries.map(\.type) + [type]
    return entries.map { displayName($0.type, $0.definition.label.name, beside: types) }
  }

  /// The factories that run around the request, outermost first; a decorator stands for what it wraps.
  var path: [PathEntry] {
    let path = ThreadState.current.path(creation)
    return path.count < 2 ? path : path.withoutWrapped
  }

  /// All factories that run around the request, including those of instances that decorators wrap.
  private var wholePath: [PathEntry] { ThreadState.current.path(creation) }

  /// Returns the factory that makes the request, or the one around the decorators that make it.
  private func requester(of definition: Definition) -> PathEntry? {
    wholePath.last { !isOfDecorator || $0.definition.root !== definition.root }
  }

  func missingRegistration() -> ResolutionError {
    let named = label.name.map { " named '\($0)'" } ?? ""
    return error(
      .missingRegistration, "No registration for '\(typeName)'\(named).",
      notes: notesOnContainers + nearMisses())
  }

  /// The cure if a factory lacks a registration that only some containers have.
  ///
  /// The factory of a kept instance does not see the registrations of the container that asked for the instance. The
  /// factory of an instance for each container sees only what the container that is asked can resolve.
  private var notesOnContainers: [String] {
    // The code names this container, so it does not matter which container asked for the instance.
    if isContainerNamed { return [] }
    for (asker, definition) in creation?.askers ?? [] {
      guard let answer = asker.answer(to: key, label), answer.owner.level > registry.level,
        asker.lineage.contains(where: { $0 === registry })
      else { continue }
      let holder = displayName(definition.type, definition.label.name, beside: [type])
      let cure =
        definition.label.declaration != nil
        ? "override that dependency in the child, or declare it `.scoped(in: .container)` or `.new`"
        : "register '\(holder)' in the child as well, or as `Scoped(in: .container)`, or as `New`"
      return [
        "it is registered at \(answer.definition.root.location) in a child, and '\(holder)' belongs to a parent container: "
          + cure
      ]
    }
    guard let requester = path.last, requester.definition.lifetime == .scoped(in: .container) else { return [] }
    let asked = displayName(requester.type, requester.definition.label.name, beside: [type])
    return [
      "'\(asked)' is created for the container that is asked for it: "
        + "register '\(name)' there, or ask a child that has it"
    ]
  }

  /// Returns the error of a creation whose registration was replaced in the meantime; no requester gets it.
  func outdated() -> ResolutionError { error(.outdated, "") }

  func aliasMismatch(_ box: Box, _ definition: Definition) -> ResolutionError {
    let own = displayName(box.dynamicType, beside: [type])
    let typeName = displayName(type, beside: [box.dynamicType])
    let cure = MetadataKind.existential.isKind(of: type) ? "make \(own) conform to \(typeName)" : "leave out that alias"
    return error(
      .aliasMismatch, "'\(own)' is registered as '\(typeName)', but is not one.", definition,
      notes: [
        MetadataKind.metatype.isKind(of: box.dynamicType)
          ? "that is a type: register an instance of it"
          : "\(cure), or let the compiler check it: `aliases: { $0 as \(sourceName(type)) }`"
      ])
  }

  func notAnObject(_ box: Box, _ definition: Definition) -> ResolutionError {
    error(
      .notAnObject, "'\(displayName(box.dynamicType))' is registered as Weak, but is not a class.", definition,
      notes: ["only instances of classes can be held weakly; use Shared, PerGraph or Scoped"])
  }

  /// Returns the error for a registration of an optional, if it is one.
  func optionalRegistration(_ definition: Definition) -> ResolutionError? {
    optional.map {
      let (name, wrapped) = ($0.name, displayName($0.wrappedType))
      return error(
        .optionalRegistration, "'\(name)' is registered, but never resolved: '\(name)' asks for '\(wrapped)'.",
        definition, of: $0, notes: ["unwrap it first, or register '\(wrapped)'"])
    }
  }

  /// Returns a note on a wrong number of arguments, or on the first argument of a wrong type; nil if the factory takes
  /// none or none were passed.
  private func wrongArgument(for definition: Definition) -> String? {
    let (expected, passed) = (tupleElements(of: definition.arguments).map(\.type), arguments.elements)
    if !definition.takesArguments || passed.isEmpty { return nil }
    if expected.count != passed.count {
      let verb = passed.count == 1 ? "was" : "were"
      return "it takes \(expected.count.counted("argument")), but \(passed.count) \(verb) passed"
    }
    let different = expected.indices.first { passed[$0].box.cast(to: expected[$0]) == nil }
    guard let index = different else { return nil }
    let (right, wrong) = (expected[index], passed[index].type)
    let position = expected.count == 1 ? "the argument" : "argument \(index + 1)"
    let (takes, got) = (displayName(right, beside: [wrong]), displayName(wrong, beside: [right]))
    let isNil = passed[index].box.unwrapped == nil
    let note = "\(position) must have the type '\(takes)', but \(isNil ? "is nil" : "has the type '\(got)'")"
    if takes == got {
      return note + ", another type of that name" + difference(of: right, from: wrong)
    }
    if right == Any.Type.self {
      // The compiler infers this type for an untyped parameter that is only turned into text.
      return note + "; declare the type of a parameter that has none: `{ (resolve: Resolver, id: String) in … }`"
    }
    return note
  }

  func wrongArguments(_ definition: Definition, note: String? = nil) -> ResolutionError {
    let takes =
      definition.takesArguments
      ? "takes arguments \(parameterList(definition.arguments, beside: [arguments.type]))" : "takes no arguments"
    let got =
      arguments.type == Void.self ? "got none" : "got \(parameterList(arguments.type, beside: [definition.arguments]))"
    let method = definition.layers.contains(where: \.isAsync) ? "resolveAsync" : "resolve"
    let cure =
      definition.takesArguments
      ? "pass them in the closure of the resolution, "
        + "`\(call(method, definition))`; a property wrapper cannot pass any"
      : "leave out the closure of the resolution, or let the factory take the arguments; the newest registration of a type wins"
    return error(
      .wrongArguments, "'\(typeName)' \(takes), \(got).", definition.root,
      notes: [note ?? wrongArgument(for: definition) ?? cure])
  }

  /// Returns the error for an instance whose creation requires the instance itself, through its own factory or through
  /// `others`.
  func cycle(_ definition: Definition, _ others: [PathEntry] = [], across kind: String = "threads") -> ResolutionError {
    let requester = requester(of: definition)?.definition
    let isDirect = requester?.root === definition.root
    // The declaration of a dependency replaces nothing, so it cannot be meant to wrap anything.
    let wrapper =
      !isDirect || definition.label.declaration != nil
      ? "" : "to wrap what another registration creates, use `Decorated(\(typeAndName))`; otherwise "
    let cure =
      isDirect && requester?.isDecoration == true
      ? "a decorator resolves what it decorates: that is the first parameter of its closure"
      : isDirect && definition.label.declaration != nil && !definition.isDeclared
        ? "the override resolves what it overrides: copy that first, `let original = dependency()`, and override it then"
        : "\(wrapper)\(howToBreakCycle(of: definition)), or by passing it after creation; do not use it in an initializer"
    return error(
      .cycle, "'\(typeName)' depends on itself\(others.count > 1 ? ", across \(kind)" : "").", definition,
      path: others.count > 1 ? names + names(of: others) : nil, cycle: cycleEntries(of: definition, others),
      notes: [cure])
  }

  /// Returns the error for a factory that is called inside of too many others.
  ///
  /// - Parameters:
  ///   - definition: The registration of the factory.
  ///   - usesStack: A Boolean value that indicates whether the stack is nearly used up, before the limit is reached.
  /// - Returns: The error: a cycle if the factory leads back to itself, even with other arguments.
  func tooDeep(_ definition: Definition, usesStack: Bool = false) -> ResolutionError {
    let path = self.path
    var names = names(of: path) + (isOfDecorator ? [] : [name])
    let cycle = cycleEntries(of: definition)
    let isRecursion = !cycle.isEmpty
    if isRecursion, let last = names.dropLast().lastIndex(of: name) {
      // One round of the recursion is enough.
      let round = names[last..<(names.count - 1)]
      var start = last
      while start >= round.count, names[(start - round.count)..<start].elementsEqual(round) { start -= round.count }
      names.removeSubrange(start..<last)
    }
    let others = path.count == 1 ? "1 other factory" : "\(path.count) other factories"
    let place =
      if usesStack {
        (path.isEmpty ? "by code that" : "inside of \(others), which")
          + " is too deep for the stack of this thread, \(CLibrary.stack().size >> 10) KiB"
      } else {
        "inside of \(Frame.maximumDepth) other factories, which is the limit"
      }
    // The path lists a decorated instance only once.
    let decorators = path.map { Array($0.definition.layers).count - 1 }.max() ?? 0
    let cure =
      if cycle.contains(where: { $0.definition.takesArguments }) {
        "the factory leads back to itself: its arguments have to end the recursion"
      } else if isRecursion {
        "it leads back to itself, in another container or after a reset: \(howToBreakCycle(of: definition))"
      } else if path.isEmpty {
        "resolve it before that code calls so many functions, or on a thread with a larger stack"
      } else if decorators > Frame.maximumDepth / 2 {
        "\(decorators) decorators wrap one of them: register each decorator once"
      } else {
        "resolve one in the middle first if it is kept, or inject one with `@LazyInject`"
          + (usesStack ? "; a thread with a larger stack has room for more" : "")
      }
    return error(
      isRecursion ? .cycle : .tooDeep, "'\(typeName)' is created \(place).", definition,
      path: names, cycle: cycle, notes: [cure])
  }

  /// Returns the factories in a cycle, without those around it.
  ///
  /// - Parameters:
  ///   - definition: The registration to which the cycle leads back, unless that is the last one of the others.
  ///   - others: The factories on other threads, or in other tasks.
  /// - Returns: The factories from that of the registration to the innermost one, and the others.
  private func cycleEntries(of definition: Definition, _ others: [PathEntry] = []) -> [PathEntry] {
    let (path, start) = (wholePath, others.last?.definition ?? definition)
    // The innermost: an outer one may run for another container.
    let index = path.lastIndex { $0.definition === start } ?? path.endIndex
    return path[index...] + others
  }

  /// Returns the cure for a cycle: to resolve a part of the path after what needs it was created.
  private func howToBreakCycle(of definition: Definition) -> String {
    // A property wrapper can neither await nor pass arguments.
    let cannotInject = definition.takesArguments || definition.isAsync || path.contains { $0.definition.isAsync }
    let cycle = cycleEntries(of: definition)
    let isKept = cycle.isEmpty || cycle.contains { ![.new, .perGraph].contains($0.definition.lifetime) }
    return "break the cycle by "
      + (cannotInject ? "resolving one of these when it is needed" : "injecting one of these with `@LazyInject`")
      + (isKept ? "" : ", which gets another instance because nothing keeps these")
  }

  func wrongActor(_ actor: any Actor, _ definition: Definition) -> ResolutionError {
    let place = actor is MainActor ? "the main actor" : "the actor '\(Swift.type(of: actor))'"
    let existing = definition.isKept ? " first: an instance that exists is returned anywhere" : ""
    let advice = "\(awaiting(definition)), or resolve it on \(place)\(existing)"
    return error(
      .wrongActor, "'\(typeName)' has to be created on \(place).", definition, notes: [advice])
  }

  /// Returns the code of a call that makes the same request with a method, with arguments if the registration takes
  /// any.
  private func call(_ method: String, on receiver: String = "", _ definition: Definition) -> String {
    let passes = definition.takesArguments
    if label.declaration != nil { return "dependency.\(method)(\(passes ? "…" : ""))" }
    return "\(receiver)\(method)(\(typeAndName))\(passes ? " { … }" : "")"
  }

  /// The type and the name as the arguments of a call.
  private var typeAndName: String {
    sourceName(type, ".self") + (label.name.map { ", named: \(String(reflecting: "\($0)"))" } ?? "")
  }

  /// Returns how to await the instance.
  private func awaiting(_ definition: Definition) -> String {
    // What a decorator wraps is awaited with the decorator.
    guard let requester = requester(of: definition) else {
      // A decorator asks the container that has what it wraps.
      let isOfCurrent = !isOfDecorator && Resolver(in: context).registry === registry
      return "use `try await \(call("resolveAsync", on: isOfCurrent ? "DIContainer." : "", definition))`"
    }
    let name = displayName(requester.type, requester.definition.label.name, beside: [type])
    // Parameters have no names.
    if isParameter(of: requester.definition) {
      return "resolve '\(name)' with `resolveAsync`, which awaits the parameters of its initializer"
    }
    return "await it in the factory of '\(name)', `try await \(call("resolveAsync", on: "resolve.", definition))`, "
      + "and pass it to the initializer, as `autowire:` does"
  }

  /// Returns whether `autowire:` asks for the type, as a parameter of the initializer of a registration.
  func isParameter(of definition: Definition) -> Bool {
    definition.asyncForm?.parameters.contains { Key(wrappedType(of: $0), .none) == key } == true
  }

  /// Returns the error for a synchronous request of an asynchronous factory: it names `resolveAsync`, or reports a
  /// cycle.
  func asynchronous(_ definition: Definition) -> ResolutionError {
    // Behind a factory that takes arguments, it may be requested any number of times.
    let around = wholePath.reversed().prefix { !$0.definition.takesArguments }
    if around.contains(where: { $0.definition === definition }) { return cycle(definition) }
    var cure = awaiting(definition)
    if definition.isKept {
      cure +=
        "; or await '\(name)' once first, and again after a reset or an override in a test: any code of this "
        + "container then gets the existing instance"
    }
    let order = "if the app does, register it first: a check follows the order of registration"
    return error(
      .asynchronous, "'\(typeName)' has to be created asynchronously.", definition,
      notes: [cure] + (definition.isKept && !Resolver.trapHandlers.isEmpty ? [order] : []))
  }

  /// Returns the error for a factory that does not return in a check, which ends the check.
  func timeout(_ definition: Definition, _ limit: Duration, after abandonment: ResolutionError?) -> ResolutionError {
    let notes = abandonment.map { failure in
      let name = displayName(failure.type, failure.name)
      return [
        "the check has abandoned a thread that could not resolve '\(name)', and that thread may hold a lock that is needed "
          + "here: use `try resolve.tryResolve()` at \(failure.location), which throws",
        "the check ends here",
      ]
    }
    return error(
      .factoryFailed, "The factory of '\(typeName)' did not return within \(limit).", definition, notes: notes ?? [])
  }

  /// Returns the error for an error that a factory threw.
  func failure(_ cause: any Error, _ definition: Definition) -> ResolutionError {
    switch cause {
    // The inner error is complete, and its path starts further out than this one.
    case let inner as ResolutionError: inner
    case CreationError.cycle(let entries): cycle(definition, entries)
    case CreationError.tooDeep(let usesStack): tooDeep(definition, usesStack: usesStack)
    case CreationError.leftoverArgument(let leftover):
      error(
        .wrongArguments,
        """
        '\(typeName)' got an argument of the type \
        '\(displayName(leftover, beside: definition.asyncForm?.parameters ?? []))', which no parameter takes.
        """, definition,
        notes: ["each argument must have the type of a parameter, in the order of the parameters"])
    default: error(.factoryFailed, "The factory of '\(typeName)' failed.", definition, cause: cause)
    }
  }
}
