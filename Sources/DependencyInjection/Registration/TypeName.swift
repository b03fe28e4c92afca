/// Returns the short name of a type, for people: without `any`, and followed by the dependency's name, if any.
///
/// - Parameters:
///   - type: The type.
///   - name: The name of the dependency.
///   - others: Types that are named beside it. If one has the same name, what is around the types is named, too.
/// - Returns: The name.
package func displayName(_ type: Any.Type, _ name: DependencyName? = nil, beside others: [Any.Type] = []) -> String {
  var text = String(describing: type)
  let same = others.filter { $0 != type && String(describing: $0) == text }
  // The runtime prints everything else as people write it.
  if text.contains(where: "={_".contains) { text = TypeText(type, .short).text }
  if !same.isEmpty { text = TypeText(type, .outerTypes).text }
  if same.contains(where: { TypeText($0, .outerTypes).text == text }) { text = qualifiedName(type) }
  let own = text.hasPrefix("any ") ? String(text.dropFirst(4)) : text
  return name.map { "\(own) (\($0))" } ?? own
}

/// Returns a type as it is written in source code.
///
/// - Parameters:
///   - type: The type.
///   - suffix: What follows, such as `.self`.
/// - Returns: The text, in parentheses where Swift needs them before the suffix; `…` for a type whose text is not known.
package func sourceName(_ type: Any.Type, _ suffix: String = "") -> String {
  let source = TypeText(type, .source)
  if !source.isSource { return "…" + suffix }
  return suffix.isEmpty ? source.text : inParentheses(source.text, type) + suffix
}

/// Returns the name of a type with its module and the types around it, without what stands for a private scope.
func qualifiedName(_ type: Any.Type) -> String { TypeText(type, .module).text }

/// Returns the types of a tuple of arguments, or the type of one argument, as a list in parentheses.
func parameterList(_ type: Any.Type, beside other: Any.Type? = nil) -> String {
  let text = displayName(type, beside: other.map { [$0] } ?? [])
  return MetadataKind(of: type) == .tuple ? text : "(\(text))"
}

/// Returns a type's name, in parentheses if it needs them before `.self` and `?`.
func inParentheses(_ text: String, _ type: Any.Type) -> String {
  let kind = MetadataKind(of: type)
  let isExistential = kind == .existential || kind == .constrainedExistential
  return kind == .function || isExistential && text.contains(" ") ? "(\(text))" : text
}

/// A type's name, converted from what the runtime prints.
///
/// The runtime names modules, the contexts of private types, the requirements of `any Store<String>`, and packs.
private struct TypeText {
  private(set) var text = ""
  /// A Boolean value that indicates whether the text, in that style, is source code for the type.
  private(set) var isSource = true
  private var rest: Substring
  private let style: Style
  /// The protocols that need `any`, as the runtime prints them.
  private var protocols: Set<Substring> = []

  /// What a name has in front of that of the type itself: nothing, the types around, the module as well, or what source code
  /// needs.
  enum Style { case short, outerTypes, module, source }

  init(_ type: Any.Type, _ style: Style) {
    (rest, self.style) = (String(reflecting: type)[...], style)
    if style == .source { note(type) }
    text = take(upTo: "")
  }

  /// Notes what the text does not show about a type and those of which it consists.
  private mutating func note(_ type: Any.Type) {
    let types = typeParts(of: type).types
    switch MetadataKind(of: type) {
    case .existential: if needsAny(type) { protocols.formUnion(String(reflecting: type).split(separator: " & ")) }
    // Functions in it may escape or not.
    case .function: if types.dropFirst().contains(where: MetadataKind.function.isKind) { isSource = false }
    // It needs more than `any`.
    case .metatype, .existentialMetatype: if needsAny(types[0]) || "\(types[0])".contains("&") { isSource = false }
    default: break
    }
    for type in types { note(type) }
  }

  /// Takes the text up to one of some characters, converted.
  private mutating func take(upTo ends: String) -> String {
    var text = ""
    while let first = rest.first, !ends.contains(first) {
      if rest.hasPrefix("(extension in ") {
        rest = rest.drop { $0 != ":" }.dropFirst()
      } else if first == "(" {
        rest.removeFirst()
        text += "(\(take(upTo: ")")))"
        rest = rest.dropFirst()
      } else if rest.hasPrefix("Pack{") || first == "}" {
        // The types in a pack are arguments like the others.
        rest = rest.dropFirst(first == "}" ? 1 : 5)
      } else if first.isLetter || first == "_" {
        text += takeName(isFirst: !text.hasSuffix("& "))
      } else {
        text += rest.prefix(rest.hasPrefix("->") ? 2 : 1)
        rest = rest.dropFirst(rest.hasPrefix("->") ? 2 : 1)
      }
    }
    return text
  }

  /// Takes the name of a type, with its module, the types around it, and its generic arguments.
  private mutating func takeName(isFirst: Bool) -> String {
    let start = rest
    var (names, shown) = ([takeWord()], style == .module ? 0 : 1)
    while rest.first == ".", let next = rest.dropFirst().first, next.isLetter || "_(`".contains(next) {
      rest.removeFirst()
      var name = takeWord()
      if next == "(" {
        // The context of a private type, which has no name, or a private protocol, whose name is in front of that.
        let context = rest.dropFirst().prefix { $0 != ")" }
        rest = rest.dropFirst(context.count + 2)
        if context.hasPrefix("unknown") { continue }
        name = String(context.prefix { $0 != " " })
      }
      if style == .source, Self.keywords.contains(name) { name = "`\(name)`" }
      if style == .short, !["Type", "Protocol"].contains(name) { shown = names.count }
      if rest.first == "<" { name += takeArguments() }
      names.append(name)
    }
    // An expression cannot have these words.
    if (names.count > 1 ? ["Protocol"] : ["__owned", "sending", "isolated"]).contains(names.last) { isSource = false }
    if names == ["__owned"] { return "consuming" }
    let needsAny = isFirst && protocols.contains(start.prefix(start.count - rest.count))
    return (needsAny ? "any " : "") + names[min(shown, names.count - 1)...].joined(separator: ".")
  }

  private mutating func takeWord() -> String {
    // A name in backticks may have any characters; the runtime has other spaces in it.
    let name = rest.dropFirst().prefix { $0 != "`" }.map { $0 == "\u{A0}" ? " " : $0 }
    let raw = rest.first == "`" ? "`\(String(name))`" : ""
    let word = raw + rest.dropFirst(raw.count).prefix { raw == "" && ($0.isLetter || $0.isNumber || $0 == "_") }
    rest = rest.dropFirst(word.count)
    return word
  }

  /// Takes generic arguments, or the requirements of the associated types of a protocol.
  private mutating func takeArguments() -> String {
    var arguments: [(name: Substring, type: String)] = []
    while let first = rest.first, first != ">" {
      // The bracket, or a comma.
      rest = rest.dropFirst().drop { $0 == " " }
      var name: Substring = ""
      if rest.hasPrefix("Self."), let equals = rest.firstIndex(of: "=") {
        // A requirement is `Self.Module.Store.Item == Type`.
        name = rest[..<equals].dropLast().split(separator: ".").last ?? ""
        rest = rest[equals...].dropFirst(3)
      }
      let type = take(upTo: ",>")
      // A pack may be empty.
      if type != "" { arguments.append((name, type)) }
    }
    rest = rest.dropFirst()
    // The runtime sorts the requirements by their names, and does not know the order of a protocol's arguments.
    let isOrdered = arguments.allSatisfy { $0.name == "" || $0.type == arguments[0].type }
    if !isOrdered { isSource = false }
    // Without the space, it is an operator.
    if arguments.isEmpty { return style == .source ? "< >" : "<>" }
    return "<\(arguments.map { isOrdered ? $0.type : "\($0.name): \($0.type)" }.joined(separator: ", "))>"
  }

  /// The words that are no names of types without backticks.
  private static let keywords = Set(
    """
    Any Self as associatedtype await break case catch class continue default defer deinit do else enum extension fallthrough \
    false fileprivate for func guard if import in init inout internal is let nil operator precedencegroup private protocol public \
    repeat rethrows return self static struct subscript super switch throw throws true try typealias var where while
    """.split(separator: " ").map { String($0) })
}
