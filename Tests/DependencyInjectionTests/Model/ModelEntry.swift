/// The keys that the model tests register and ask for.
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

  /// How long an instance lives, and whose it is.
  enum Life: CaseIterable {
    case shared, new

    /// Until the session of its world ends.
    case session

    /// One for each container that asks.
    case container

    /// A Boolean value that indicates whether the same instance is handed out again.
    var isKept: Bool { self != .new }

    /// A Boolean value that indicates whether it belongs to the container that registers it.
    var isOfOwner: Bool { self == .shared || self == .session }
  }

  /// Unlike that of any other registration.
  let number: Int
  let kind: Kind
  let life: Life
  let keys: [ModelKey]

  /// What an instance resolves while it is created.
  let parts: [ModelKey]

  init(number: Int, kind: Kind, life: Life, keys: [ModelKey], parts: [ModelKey]) {
    self.number = number
    self.kind = kind
    self.life = life
    self.keys = keys
    self.parts = parts
  }

  /// A Boolean value that indicates whether the factory returns the type of its only key, which is no alias then.
  var isDirect: Bool { keys.count == 1 && number % 2 == 0 || kind.ownKey == .called }

  /// The keys under which an instance is found: its aliases, and the type that its factory returns.
  var allKeys: [ModelKey] { isDirect || keys.contains(kind.ownKey) ? keys : keys + [kind.ownKey] }

  var description: String {
    let needs = parts.isEmpty ? "" : ", of \(parts)"
    return "\(life) \(kind) number \(number) as \(keys)\(needs)"
  }

  /// Some registration.
  ///
  /// - Parameters:
  ///   - number: Its number.
  ///   - withParts: Whether an instance may resolve others.
  ///   - lives: Its possible lifetimes.
  ///   - generator: The source of randomness.
  /// - Returns: The registration.
  static func random(
    _ number: Int, withParts: Bool, lives: [Life], using generator: inout RepeatableGenerator
  ) -> ModelEntry {
    let dice = Int.random(in: 0..<20, using: &generator)
    let kind: Kind = dice < 12 ? .thing : dice < 15 ? .record : dice < 18 ? .small : dice < 19 ? .taking : .failing
    var keys = kind.keys.filter { _ in Bool.random(using: &generator) }
    if keys.isEmpty { keys = [kind.keys.randomElement(using: &generator)!] }
    keys.shuffle(using: &generator)
    var parts: [ModelKey] = []
    if withParts, kind != .small, Bool.random(using: &generator) {
      let first = min(keys.min()!, kind.ownKey)
      parts = ModelKey.allCases.filter { $0 < first && Int.random(in: 0..<3, using: &generator) == 0 }
    }
    let life = kind == .taking ? .new : lives.randomElement(using: &generator)!
    return ModelEntry(number: number, kind: kind, life: life, keys: keys, parts: parts)
  }
}
