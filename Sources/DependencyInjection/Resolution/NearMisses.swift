// Suggestions for a missing registration.

extension Request {
  /// Returns suggestions for a type without a registration.
  func nearMisses(_ wantedName: DependencyName?) -> [String] {
    let wanted = displayName(type)
    var notes: [String] = []
    var named: [(name: String, location: CodeLocation)] = []
    let (visible, otherCopy) = (registry.visibleDefinitions, [OtherCopy.explanation()].compactMap(\.self))
    if visible.isEmpty {
      return [
        "nothing is registered in this container; that of an isolated test begins with what `DependencyRegistering` registers"
      ] + otherCopy
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
      notes += definition.types.compactMap { nearMiss($0, definition, for: type, wanted) }
    }
    return nearMisses(wantedName.map { "\($0)" }, named, of: wanted) + notes.sorted() + otherCopy
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
      return "'\(wanted)?' \(place), but resolves nothing; unwrap it first, or register '\(wanted)'"
    }
    if name == wanted {
      return "another type of that name, '\(String(reflecting: other))', \(place); "
        + "'\(String(reflecting: type))' was asked for"
    }
    // Suggestions are only for types that can have implementations, so not for value types. Nor is a type a suggestion
    // if it is just being created, because its factory has made the request.
    guard !isValueType(type), !path.contains(where: { $0.name == name }) else { return nil }
    if definition.aliases.isEmpty, name.hasPrefix(wanted) || name.hasSuffix(wanted) {
      return "\(name) \(place); did you mean `as: \(wanted).self`?"
    }
    return nil
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
