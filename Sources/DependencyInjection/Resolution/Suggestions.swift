// Suggestions for a missing registration.

extension Request {
  /// Returns suggestions for a type without a registration.
  func nearMisses(_ wantedName: DependencyName?) -> [String] {
    let wanted = displayName(type)
    var notes = [noteOnElements].compactMap(\.self)
    var named: [(name: String, location: CodeLocation)] = []
    let (visible, otherCopy) = (registry.visibleDefinitions, [OtherCopy.explanation()].compactMap(\.self))
    let copyOfNothing =
      !registry.root.origins.isEmpty && registry.root.hasBegunEmpty
      ? "it is a copy of an empty one; let the trait of a test register: `.isolatedContainer { Module.app }`, or a `DITestCase`: "
        + "`override var registrations`" : nil
    if visible.isEmpty {
      let cure =
        copyOfNothing
        ?? (registry === Registry.shared && LaunchContext.current.isRunningTests
          ? "tests do not run `main`; isolate the test, and let it register; in a class of XCTest, use `@LazyInject`"
          : "register before the first resolution")
      return ["nothing is registered in this container: \(cure)"] + otherCopy
    }
    for (definition, _, _) in visible {
      let place = definition.location
      if let declared = definition.label.declaration?.definition {
        if declared.type == type {
          notes.append("\(wanted) is declared as a `Dependency` at \(declared.location): resolve that")
        }
        continue
      }
      if definition.type == type || definition.types.contains(where: { $0 == type }) {
        // It may have been registered since.
        if definition.label.name == wantedName { continue }
        if let name = definition.label.name {
          named.append(("\(name)", place))
        } else {
          notes.append("\(wanted) is registered without a name at \(place)")
        }
        continue
      }
      let subclass = definition.keys.lazy.map(\.type).first { isSubclass($0, of: self.type) }
      if let subclass, !isBeingCreated(subclass) {
        notes.append(
          "\(displayName(subclass)), a subclass of it, is registered at \(place); the static type decides what is asked for, "
            + "not a metatype in a variable: did you mean `as: \(sourceName(type, ".self"))`?")
        continue
      }
      notes += definition.types.compactMap { nearMiss($0, definition, for: type, wanted) }
    }
    notes = nearMisses(wantedName.map { "\($0)" }, named, of: wanted) + notes.sorted()
    if notes.isEmpty, let copyOfNothing {
      notes = ["nothing but overrides is registered in this container: \(copyOfNothing)"]
    }
    return notes + otherCopy
  }

  /// Returns the name that was probably meant, or some of the registered names.
  private func nearMisses(
    _ name: String?, _ others: [(name: String, location: CodeLocation)], of wanted: String
  ) -> [String] {
    let others = others.sorted { $0.name < $1.name }
    if let name, let nearest = others.min(by: { editDistance($0.name, name) < editDistance($1.name, name) }),
      editDistance(nearest.name, name) <= max(2, name.count / 4)
    {
      return ["did you mean '\(nearest.name)', registered at \(nearest.location)?"]
    }
    let notes = others.prefix(5).map { "\(wanted) is registered named '\($0.name)' at \($0.location)" }
    return others.count > 5 ? notes + ["and with \(others.count - 5) other names"] : notes
  }

  private func nearMiss(_ other: Any.Type, _ definition: Definition, for type: Any.Type, _ wanted: String) -> String? {
    let name = displayName(other)
    let place = "is registered at \(definition.location)"
    if let optional = asOptional(other), optional.wrappedType == type {
      return "'\(optional.name)' \(place), but resolves nothing; unwrap it first, or register '\(wanted)'"
    }
    if name == wanted {
      let (found, asked) = (qualifiedName(other), qualifiedName(type))
      let origin =
        if found != asked {
          "'\(asked)' was asked for"
        } else if let (one, another) = Image.images(of: other, type) {
          "it comes from \(one), and the one that was asked for from \(another): link the module that declares it to one of "
            + "these only, or as a dynamic library"
        } else if asked.count < String(reflecting: type).count {
          "a private or local type is another one in each file and function"
        } else {
          "its module may be in two binaries: link it to one of them only, or as a dynamic library"
        }
      return "another type of that name, '\(found)', \(place); \(origin)"
    }
    // Suggestions are only for types that can have implementations, so not for value types.
    guard !isValueType(type), !name.contains(" "), !isBeingCreated(other) else { return nil }
    if definition.aliases.isEmpty, name.hasPrefix(wanted) || name.hasSuffix(wanted) {
      return "\(name) \(place); did you mean `as: \(sourceName(type, ".self"))`?"
    }
    return nil
  }
}

extension Request {
  /// Returns a Boolean value that indicates whether the factory of a type has made the request, directly or not.
  private func isBeingCreated(_ other: Any.Type) -> Bool {
    let name = displayName(other)
    return path.contains { $0.name == name }
  }

  /// The cure for a request for a collection of what is registered.
  private var noteOnElements: String? {
    guard let element = elementType(of: type) else { return nil }
    let type = asOptional(element)?.wrappedType ?? element
    if registry.visibleDefinitions(of: type).isEmpty { return nil }
    return "a collection is a type of its own: `resolveAll(\(sourceName(type, ".self")))` resolves all that is "
      + "registered as \(displayName(type))"
  }

  /// The number of times that each collection was looked at, because that costs time.
  private static let looks = Locked<[ObjectIdentifier: Int]>([:])

  /// Writes a warning, once for each type, if the result is nil although the elements of the requested collection are
  /// registered at one of the first requests.
  func warnOfElements() {
    guard let optional, elementType(of: type) != nil else { return }
    let identity = ObjectIdentifier(type)
    let isLooking = Self.looks.withLock { looks in
      looks[identity, default: 0] += 1
      return looks[identity]! <= 8
    }
    guard isLooking, let note = noteOnElements else { return }
    let isFirst = Self.looks.withLock { looks in
      defer { looks[identity] = 9 }
      return looks[identity]! <= 8
    }
    if isFirst { CLibrary.writeError("warning: '\(optional.name)' is nil at \(location): \(note).") }
  }
}

/// Returns a Boolean value that indicates whether a type is a struct or an enum.
private func isValueType(_ type: Any.Type) -> Bool {
  [.structure, .enumeration, .optional].contains(MetadataKind(of: type))
}

/// Returns the number of characters to add, remove, or replace to turn a text into another (Levenshtein, 1965).
private func editDistance(_ one: String, _ other: String) -> Int {
  let other = Array(other)
  var row = Array(0...other.count)
  for (index, character) in one.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in other.indices {
      let replaced = diagonal + (other[column] == character ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
    }
  }
  return row[other.count]
}
