/// Returns the short name of a type, for people: without `any`, and followed by the dependency's name, if any.
///
/// - Parameters:
///   - type: The type.
///   - name: The name of the dependency.
///   - others: Other types in the same text. If one of them has the same name, the enclosing types are named, too.
/// - Returns: The name.
package func displayName(_ type: Any.Type, _ name: DependencyName? = nil, beside others: [Any.Type] = []) -> String {
  var text = String(describing: type).withoutRequirement
  let same = others.filter { $0 != type && String(describing: $0).withoutRequirement == text }
  if !same.isEmpty { text = sourceName(type) }
  if same.contains(where: { sourceName($0) == text }) { text = qualifiedName(type) }
  let own = text.hasPrefix("any ") ? String(text.dropFirst(4)) : text
  return name.map { "\(own) (\($0))" } ?? own
}

/// Returns a type as it is written in source code, with its enclosing types, as far as the runtime knows.
///
/// The runtime does not print where a protocol needs `any`, or the order of several arguments of a protocol.
///
/// - Parameters:
///   - type: The type.
///   - suffix: The text to append, such as `.self`.
/// - Returns: The text, in parentheses where Swift needs them before the suffix.
package func sourceName(_ type: Any.Type, _ suffix: String = "") -> String {
  // Each path of names starts with a module.
  var (text, path) = ("", "")
  // The runtime writes the types of a pack in braces, and the spaces of a name in backticks as no-break spaces.
  for character in qualifiedName(type).replacing("Pack{", with: "").replacing("}", with: "") + " " {
    if !" <>(){}[],:&@=~?!-".contains(character) || path.count(where: { $0 == "`" }) % 2 == 1 {
      path.append(character == "\u{A0}" ? " " : character)
    } else {
      let isNested = path.first != "." && path.contains(".")
      text += (isNested ? String(path.drop { $0 != "." }.dropFirst()) : path) + String(character)
      path = ""
    }
  }
  text.removeLast()
  return suffix.isEmpty ? text : inParentheses(text, type) + suffix
}

/// Returns the name of a type with its module and its enclosing types, without the placeholders of private scopes.
func qualifiedName(_ type: Any.Type) -> String {
  // A private scope has no name, or its name follows that of the type: `Module.(Store in _ABC)`.
  String(reflecting: type).removing("(unknown context at ", through: ").").removing("(extension in ", through: "):")
    .split(separator: ".(").joined(separator: ".").removing(" in _", through: ")").withoutRequirement
}

/// Returns the types of a tuple of arguments, or the type of one argument, as a list in parentheses.
func parameterList(_ type: Any.Type, beside others: [Any.Type] = []) -> String {
  let text = displayName(type, beside: others)
  return MetadataKind.tuple.isKind(of: type) ? text : "(\(text))"
}

/// Returns a type's name, in parentheses if it needs them before `.self` and `?`.
func inParentheses(_ text: String, _ type: Any.Type) -> String {
  let needsThem =
    MetadataKind.function.isKind(of: type) || MetadataKind.isExistential(type) && text.contains(" ")
  return needsThem ? "(\(text))" : text
}

extension String {
  /// The name of a type without the requirements that the runtime prints for `any Store<String>`.
  fileprivate var withoutRequirement: String {
    // Hardly any name has one, and the runtime does not know the order of several of one protocol.
    guard utf8.contains(UInt8(ascii: "=")), !contains(", Self.") else { return self }
    let parts = split(separator: "<Self.")
    return parts.dropFirst().reduce(String(parts[0])) {
      $0 + "<" + ($1.split(separator: " == ", maxSplits: 1).last ?? "")
    }
  }

  /// Returns the text without the parts that begin with one text and end with another.
  fileprivate func removing(_ start: String, through end: String) -> String {
    let parts = split(separator: start, omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
      text += part.split(separator: end, maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
    }
  }
}
