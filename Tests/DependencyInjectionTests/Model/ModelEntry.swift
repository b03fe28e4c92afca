/// What the model tests register under and ask for.
///
/// In this order, so that a registration that asks only for keys before its own never leads back to itself.
enum ModelKey: Int, CaseIterable, Comparable, CustomStringConvertible {
  /// A trivial struct.
  case small

  /// A struct with references.
  case record

  /// A protocol for anything.
  case third

  /// A class.
  case thing

  /// A protocol for classes.
  case second

  /// Another protocol for classes.
  case first

  /// What takes an argument, or fails.
  case called

  static func < (lhs: ModelKey, rhs: ModelKey) -> Bool { lhs.rawValue < rhs.rawValue }

  var description: String {
    switch self {
    case .small: "Small"
    case .record: "Record"
    case .third: "Third"
    case .thing: "Thing"
    case .second: "Second"
    case .first: "First"
    case .called: "Called"
    }
  }
}

/// A registration, as the tests make it on both sides.
final class ModelEntry: Sendable, CustomStringConvertible {
  /// What is created.
  enum Kind: CaseIterable {
    case thing, record, small

    /// A thing that takes an integer.
    case taking

    /// A thing whose factory throws.
    case failing

    /// The key of the type that the factory returns.
    var ownKey: ModelKey {
      switch self {
      case .thing: .thing
      case .record: .record
      case .small: .small
      case .taking, .failing: .called
      }
    }

    /// The keys under which an instance can be found.
    var keys: [ModelKey] {
      switch self {
      case .thing: [.third, .thing, .second, .first]
      case .record: [.record, .third]
      case .small: [.small, .third]
      case .taking, .failing: [.called]
      }
    }
  }

  /// Unlike that of any other registration.
  let number: Int
  let kind: Kind
  let isShared: Bool
  let keys: [ModelKey]

  /// What an instance resolves while it is created.
  let parts: [ModelKey]

  init(number: Int, kind: Kind, isShared: Bool, keys: [ModelKey], parts: [ModelKey]) {
    self.number = number
    self.kind = kind
    self.isShared = isShared
    self.keys = keys
    self.parts = parts
  }

  /// A Boolean value that indicates whether the factory returns the type of its only key, which is no alias then.
  var isDirect: Bool { keys.count == 1 && number % 2 == 0 || kind.ownKey == .called }

  /// The key under which an instance is found beside its aliases, unless something else is.
  var implicitKey: ModelKey? { isDirect || keys.contains(kind.ownKey) ? nil : kind.ownKey }

  var description: String {
    let needs = parts.isEmpty ? "" : ", of \(parts)"
    return "\(isShared ? "Shared" : "New") \(kind) number \(number) as \(keys)\(needs)"
  }

  /// Some registration.
  ///
  /// - Parameters:
  ///   - number: Its number.
  ///   - withParts: Whether an instance may resolve others.
  ///   - isExplicit: Whether it is registered under the type that its factory returns.
  ///   - generator: The source of chance.
  /// - Returns: The registration.
  static func random(
    _ number: Int, withParts: Bool, isExplicit: Bool = false, using generator: inout RepeatableGenerator
  ) -> ModelEntry {
    let dice = Int.random(in: 0..<20, using: &generator)
    let kind: Kind = dice < 12 ? .thing : dice < 15 ? .record : dice < 18 ? .small : dice < 19 ? .taking : .failing
    var keys = kind.keys.filter { _ in Bool.random(using: &generator) }
    if keys.isEmpty { keys = [kind.keys.randomElement(using: &generator)!] }
    if isExplicit, !keys.contains(kind.ownKey) { keys.append(kind.ownKey) }
    keys.shuffle(using: &generator)
    var parts: [ModelKey] = []
    if withParts, kind != .small, Bool.random(using: &generator) {
      let first = min(keys.min()!, kind.ownKey)
      parts = ModelKey.allCases.filter { $0 < first && Int.random(in: 0..<3, using: &generator) == 0 }
    }
    let isShared = kind != .taking && Int.random(in: 0..<3, using: &generator) > 0
    return ModelEntry(number: number, kind: kind, isShared: isShared, keys: keys, parts: parts)
  }
}
