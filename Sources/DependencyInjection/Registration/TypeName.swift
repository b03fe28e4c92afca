/// Returns the short name of a type, for people: without `any`, and followed by the dependency's name, if any.
///
/// - Parameters:
///   - type: The type.
///   - name: The name of the dependency.
///   - others: Types that are named beside it. If one has the same name, the types around are named, too.
/// - Returns: The name.
package func displayName(_ type: Any.Type, _ name: DependencyName? = nil, beside others: [Any.Type] = []) -> String {
  let full = String(describing: type)
  let isAmbiguous = others.contains { $0 != type && String(describing: $0) == full }
  // The runtime prints everything else as people write it.
  let isForeign = full.contains { $0 == "=" || $0 == "{" || $0 == "_" }
  let text = isAmbiguous || isForeign ? TypeText.source(of: type, isAmbiguous ? .outerTypes : .none) : full
  let own = text.hasPrefix("any ") ? String(text.dropFirst(4)) : text
  return name.map { "\(own) (\($0))" } ?? own
}

/// Returns a type as it is written in source code.
///
/// - Parameters:
///   - type: The type.
///   - suffix: What follows, such as `.self`.
/// - Returns: The text, in parentheses where Swift needs them before the suffix.
package func sourceName(_ type: Any.Type, _ suffix: String = "") -> String {
  var text = TypeText.source(of: type, .outerTypes)
  if !text.hasPrefix("any "), Existential.needsAny(type) { text = "any \(text)" }
  return (suffix.isEmpty || TypeText.isOneWord(text) ? text : "(\(text))") + suffix
}

/// Returns the name of a type with its module and the types around it, without what stands for a private scope.
func qualifiedName(_ type: Any.Type) -> String { TypeText.source(of: type, .module) }

/// Returns the types of a tuple of arguments, or the type of one argument, as a list in parentheses.
func parameterList(_ type: Any.Type, beside other: Any.Type? = nil) -> String {
  let text = displayName(type, beside: other.map { [$0] } ?? [])
  return MetadataKind(of: type) == .tuple ? text : "(\(text))"
}

extension AnyOptional {
  /// The name of the optional type, with question marks.
  static var name: String {
    let wrapped = displayName(wrappedType)
    return (TypeText.isOneWord(wrapped) ? wrapped : "(\(wrapped))") + String(repeating: "?", count: levels)
  }
}

/// The conversion of a type's name, as the runtime prints it, to source code.
///
/// The runtime names modules, the contexts of private types, the requirements of `any Store<String>`, and packs.
private struct TypeText {
  private var rest: Substring
  private let scope: Scope
  private var source = ""

  /// The part of a name in front of that of the type itself.
  enum Scope { case none, outerTypes, module }

  /// Returns a type as source code.
  static func source(of type: Any.Type, _ scope: Scope) -> String { source(String(reflecting: type)[...], scope) }

  private static func source(_ text: Substring, _ scope: Scope) -> String {
    var text = TypeText(rest: text, scope: scope)
    text.convert()
    return text.source
  }

  /// Returns a Boolean value that indicates whether a type needs no parentheses before `.self` and `?`.
  static func isOneWord(_ text: String) -> Bool { parts(of: text[...], at: " ").count < 2 }

  private mutating func convert() {
    while let first = rest.first {
      if rest.hasPrefix("(extension in ") {
        rest = rest[rest.firstIndex(of: ":")!...].dropFirst()
      } else if first.isLetter || first == "_" {
        convertName()
      } else {
        // The braces are those of a pack.
        if first != "}" { source.append(first) }
        rest.removeFirst()
      }
    }
  }

  /// Converts the name of a type, with its module, the types around it, and its generic arguments.
  private mutating func convertName() {
    var (names, shown) = ([takeWord()], scope == .module ? 0 : 1)
    var texts = names
    while rest.first == ".", let next = rest.dropFirst().first, next.isLetter || "_(".contains(next) {
      rest.removeFirst()
      var name = takeWord()
      if next == "(" {
        // The context of a private type, which has no name, or a private protocol, whose name is in front of that.
        let context = Self.prefix(of: rest)
        rest = rest.dropFirst(context.count)
        if context.hasPrefix("(unknown") { continue }
        name = String(context.dropFirst().prefix { $0 != " " })
      }
      names.append(name)
      texts.append(name)
      if scope == .none, !["Type", "Protocol"].contains(name) { shown = texts.count - 1 }
      if rest.first == "<" { texts[texts.count - 1] += takeArguments(of: names) }
    }
    if ["Pack", "__owned"].contains(texts[0]), texts.count == 1 {
      rest = rest.dropFirst()
    } else {
      source += texts[min(shown, texts.count - 1)...].joined(separator: ".")
    }
  }

  private mutating func takeWord() -> String {
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    rest = rest.dropFirst(word.count)
    return String(word)
  }

  /// Converts generic arguments, or the requirements of the associated types of a protocol.
  private mutating func takeArguments(of names: [String]) -> String {
    let list = Self.prefix(of: rest)
    rest = rest.dropFirst(list.count)
    var arguments: [(associated: Substring, text: String)] = Self.parts(of: list.dropFirst().dropLast(), at: ",").map {
      let argument = $0.drop { $0 == " " }
      // A requirement is `Self.Module.Store.Item == Type`.
      guard argument.hasPrefix("Self."), let equals = argument.firstIndex(of: "=") else {
        return ("", Self.source(argument, scope))
      }
      let associated = argument[..<equals].dropLast().split(separator: ".").last ?? ""
      return (associated, Self.source(argument[equals...].dropFirst(3), scope))
    }
    // The runtime sorts the requirements by their names.
    if arguments.count > 1, arguments[0].associated != "" {
      let order = Existential.associatedTypes(module: names[0], protocol: names.dropFirst().joined(separator: "."))
      let positions = Dictionary(zip(order, order.indices)) { first, _ in first }
      if arguments.allSatisfy({ positions[$0.associated] != nil }) {
        arguments.sort { positions[$0.associated]! < positions[$1.associated]! }
      }
    }
    return "<\(arguments.map(\.text).joined(separator: ", "))>"
  }

  /// Returns the text up to the bracket that closes the first one.
  private static func prefix(of text: Substring) -> Substring {
    var depth = 0
    for index in text.indices {
      depth += change(at: index, in: text)
      if depth == 0 { return text[...index] }
    }
    return text
  }

  /// Returns the parts of a text between separators that are in no brackets.
  private static func parts(of text: Substring, at separator: Character) -> [Substring] {
    var (parts, start, depth) = ([Substring](), text.startIndex, 0)
    for index in text.indices {
      depth += change(at: index, in: text)
      if depth == 0, text[index] == separator {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    return text.isEmpty ? parts : parts + [text[start...]]
  }

  private static func change(at index: String.Index, in text: Substring) -> Int {
    switch text[index] {
    case "<", "(", "{": 1
    case ")", "}": -1
    case ">": index > text.startIndex && text[text.index(before: index)] == "-" ? 0 : -1
    default: 0
    }
  }
}
