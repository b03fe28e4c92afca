// Suggestions for a missing registration.

/// The name of a dependency, and the location of its registration.
private typealias Registered = (name: String, location: CodeLocation)

extension Request {
  /// Returns suggestions for a type without a registration.
  func nearMisses() -> [String] {
    let wanted = displayName(type)
    if type == Any.self { return ["the type is `Any`: name the one you need, `resolve(Router.self)`, for example"] }
    var notes = [noteOnElements, noteOnDecorator, noteOnCurrentContainer].compactMap(\.self)
    var (named, implementations, supertypes): ([Registered], [PathEntry], [PathEntry]) = ([], [], [])
    let (visible, path) = (registry.visibleDefinitions, path)
    let otherCopy = DIContainer.otherCopyExplanation
    let general = otherCopy.map { [$0] } ?? notesOnLostContainer
    let isTest = LaunchContext.current.isRunningTests
    let register = visible.isEmpty ? "register" : "register this type, too"
    let inTest =
      "let the test \(register): in Swift Testing, `.isolatedContainer { Module.app }`; in a `DITestCase`, "
      + "`override var registrations`"
    let copyOfNothing =
      isTest && registry.lineage.contains { $0.level == 0 && !$0.isComplete && $0.hasBegunEmpty }
      ? "it is a copy of an empty container; \(inTest)" : nil
    if visible.isEmpty {
      let cure =
        copyOfNothing
        // Tests with a copy of their own usually run in an app, which runs `main`.
        ?? (isTest && registry.isShared && otherCopy == nil
          ? "tests do not run `main`; \(inTest)"
          : "register before the first resolution")
      let which = registry.isShared ? "the shared" : "this"
      return (notes.isEmpty ? ["nothing is registered in \(which) container: \(cure)"] : notes) + general
    }
    // Only the keys that still answer: another registration may have taken an alias. The requested name may have been
    // registered since.
    for (_, answer) in registry.visibleDefinitions(of: type) where !answer.isOpen && answer.label.name != label.name {
      let place = answer.root.location
      if let name = answer.label.name {
        named.append(("\(name)", place))
      } else {
        // The argument may have been written as the name.
        let lacksArguments = answer.takesArguments && arguments.type == Void.self
        let cure = lacksArguments ? ": pass its arguments in a closure" : ""
        notes.append("\(wanted) is registered without a name at \(place)\(cure)")
      }
    }
    for (definition, _) in visible {
      if let declared = definition.label.declaration {
        if declared.type == type {
          notes.append("\(wanted) is declared as a `Dependency` at \(declared.location): resolve that")
        }
        continue
      }
      if definition.type == type || definition.types.contains(where: { $0 == type }) { continue }
      // A registration whose factory made the request, directly or indirectly, was not meant.
      let isBeingCreated = path.contains { $0.definition.root === definition }
      if let implementation = definition.keys.lazy.map(\.type).first(where: { isSubtype($0, of: type) }) {
        if !isBeingCreated { implementations.append((definition, implementation)) }
        continue
      }
      notes += definition.types.compactMap { nearMiss($0, definition, wanted) }
      if isBeingCreated { continue }
      supertypes += definition.types.filter { isSupertype($0, of: type) }.map { (definition, $0) }
    }
    if !implementations.isEmpty { notes.append(noteOnImplementations(implementations)) }
    // A protocol is preferred to a superclass, whose instance may be of any other subclass.
    if let (definition, base) = supertypes.first(where: { !($0.type is AnyClass) }) ?? supertypes.first {
      let relation = base is AnyClass ? "a superclass of \(wanted)" : "to which \(wanted) conforms"
      notes.append(
        "'\(displayName(base, definition.label.name, beside: [type]))', \(relation), is registered at \(definition.location): ask for that, "
          + "or register \(wanted) as well")
    }
    notes = notesOnNames(named, of: wanted) + notes
    if notes.isEmpty, type == DIContainer.self || type == Resolver.self {
      notes = ["containers are not registered: use `DIContainer.current`, or the resolver that a factory gets"]
    }
    if notes.isEmpty, let (empty, _) = visible.first(where: { $0.definition.type == Void.self }) {
      notes = ["the factory at \(empty.location) returns nothing: does it lack a `return`?"]
    }
    if notes.isEmpty, let noteOnArgument { notes = [noteOnArgument] }
    if notes.isEmpty, let copyOfNothing {
      notes = ["this container has only what was added to it: \(copyOfNothing)"]
    }
    return notes + general
  }

  /// Returns the registration with which a container answers the request; it may be only a decorator.
  private func answer(in registry: Registry) -> Definition? {
    registry.visible.first { $0.key == key }?.definition
  }

  /// The note on a type that is decorated but not registered; nil for any other type.
  private var noteOnDecorator: String? {
    guard let definition = answer(in: registry), definition.isOpen else { return nil }
    return "it is only decorated, at \(definition.location): register what is decorated"
  }

  /// The note on a value that `autowire:` passes to an initializer; nil for classes and protocols, which are rarely
  /// meant as arguments.
  private var noteOnArgument: String? {
    guard let requester = path.last?.definition, isParameter(of: requester), requester.label.declaration == nil,
      !MetadataKind.isClass(type), !MetadataKind.isExistential(type)
    else { return nil }
    return "if it is an argument, list its type: `autowire: …, arguments: \(sourceName(type, ".self"))`"
  }

  /// The note on a type that the current container can resolve, if that is another container; nil if it cannot.
  private var noteOnCurrentContainer: String? {
    let current = Resolver(in: context).registry
    guard let definition = answer(in: current), !definition.isOpen else { return nil }
    let canBeChild = !registry.isShared && !current.lineage.contains { $0 === registry }
    return "it is registered at \(definition.root.location) in the current container: resolve it there"
      + (canBeChild ? ", or make this container a child of that, `DIContainer(parent: .current)`" : "")
  }

  /// The notes on code that may have lost the current container, or that a test case calls before there is one.
  private var notesOnLostContainer: [String] {
    guard registry.isShared, DIContainer.bound == nil else { return [] }
    // An instance that the shared container keeps never sees another container, even if a child asked for it. A request
    // through the resolver of a `New` looks as if the code named the container.
    if path.contains(where: { $0.definition.belongsToOwner }) || path.isEmpty && isContainerNamed { return [] }
    if Registry.haveOthersExisted {
      let cause = path.isEmpty ? ", because no other one is current here" : ""
      let note =
        "the shared container was asked\(cause); if a detached task, a queue or a thread has lost the current container, "
        + "wrap the closure in `DIContainer.escaping`"
      // What a kept instance resolves later goes to its container, whichever is current.
      let later = "if a resolver or a `@LazyInject` of a kept instance asked, call `DIContainer.resolve` there instead"
      return path.isEmpty ? [note] : [note, later]
    }
    return LaunchContext.current.isRunningTests
      ? [
        "XCTest creates the properties of test cases, and Swift Testing the `arguments:` of tests, before the first test: "
          + "create what injects in `setUp` or in the test, or inject with `@LazyInject`"
      ] : []
  }

  /// Returns the note on registered types that are subclasses of the requested type, or conform to it.
  private func noteOnImplementations(_ list: [PathEntry]) -> String {
    let isClass = type is AnyClass
    let reason = isClass ? "the static type decides what is asked for, not a metatype in a variable: " : ""
    let areNamed = list.contains { $0.definition.label.name != nil }
    let name = label.name.map { ", named '\($0)'" } ?? (areNamed ? ", without a name" : "")
    let cure = "; \(reason)did you mean to register as `\(sourceName(type))`\(name)?"
    let shown = Array(list.prefix(list.count > 4 ? 3 : 4))
    let names = names(of: shown)
    if list.count == 1 {
      return "\(names[0])\(isClass ? ", a subclass of it," : "") is registered at \(list[0].definition.location)" + cure
    }
    let registered = zip(names, shown).map { "\($0) at \($1.definition.location)" }
    let others = list.count > 4 ? ", and \(list.count - 3) others" : ""
    let kind = isClass ? "subclasses of it" : "types that conform to it"
    return "\(kind) are registered: " + registered.joined(separator: ", ") + others + cure
  }

  /// Returns the name that was probably meant, or some of the registered names.
  private func notesOnNames(_ others: [Registered], of wanted: String) -> [String] {
    if let name = label.name?.description {
      // The beginnings, because the time grows with the square of the length.
      let distances = others.map { $0.name.prefix(99).difference(from: name.prefix(99)).count }
      if let (distance, nearest) = zip(distances, others).min(by: { $0.0 < $1.0 }), distance <= max(3, name.count / 3) {
        return ["did you mean '\(nearest.name)', registered at \(nearest.location)?"]
      }
    }
    let notes = others.prefix(5).map { "\(wanted) is registered with the name '\($0.name)' at \($0.location)" }
    return others.count > 5 ? notes + ["and with \(others.count - 5) other names"] : notes
  }

  /// Returns the note on a registered type that is nearly the requested one.
  private func nearMiss(_ other: Any.Type, _ definition: Definition, _ wanted: String) -> String? {
    let place = "is registered at \(definition.location)"
    if let optional = asOptional(other), optional.wrappedType == type {
      return "'\(optional.name)' \(place), but never resolved; unwrap it first, or register '\(wanted)'"
    }
    let name = displayName(other)
    if name == wanted {
      return "another type of that name, '\(qualifiedName(other))', \(place)" + difference(of: other, from: type)
    }
    // A metatype, or a composition of protocols.
    let parts = name.contains("<") ? [] : name.split(separator: " & ")
    if name == "\(wanted).Type" || name == "\(wanted).Protocol" || parts.contains(where: { $0 == wanted }) {
      return "'\(name)', another type, \(place): register an instance as `\(sourceName(type))`"
    }
    return nil
  }

  /// Returns a Boolean value that indicates whether a type is a superclass of another type, or a protocol to which that
  /// type conforms and not every type does.
  private func isSupertype(_ other: Any.Type, of type: Any.Type) -> Bool {
    isSubtype(type, of: other) && ![Any.self, AnyObject.self, (any Sendable).self].contains { $0 == other }
  }

  /// Returns how two types with the same name differ, if that is known, as the end of a sentence.
  func difference(of one: Any.Type, from other: Any.Type) -> String {
    if qualifiedName(one) != qualifiedName(other) { return "; '\(qualifiedName(other))' was asked for" }
    let text = String(reflecting: one)
    // A type's text does not show which functions in it escape.
    if text.contains("->") { return "" }
    // The names of private scopes differ.
    return text == String(reflecting: other)
      ? "; its module is linked twice: link it to one of the binaries only, or as a dynamic library"
      : "; a private or local type is a different type in each file and function"
  }

  /// The note on a request for a collection of what is registered.
  private var noteOnElements: String? {
    guard let element = elementType(of: type),
      registry.visibleDefinitions(of: element).contains(where: { !$0.definition.isOpen })
    else { return nil }
    return "a collection is a type of its own: `resolveAll(\(sourceName(element, ".self")))` resolves everything that "
      + "is registered as \(displayName(element))"
  }
}
