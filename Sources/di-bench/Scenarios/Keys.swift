/// A type that exists to be registered.
protocol Keyed: Sendable {
  init()
}

/// Types in any number: one generic class with digits.
enum Keys {
  /// A thousand types.
  static let all: [any Keyed.Type] = digits.flatMap { first in
    digits.flatMap { second in digits.map { third in key(first, second, third) } }
  }

  /// Ten thousand types; using this creates them.
  static let many: [any Keyed.Type] = {
    let pairs: [any Digit.Type] = digits.flatMap { first in digits.map { second in pair(first, second) } }
    return pairs.flatMap { first in
      digits.flatMap { second in digits.map { third in key(first, second, third) } }
    }
  }()

  private static func pair<First: Digit, Second: Digit>(_: First.Type, _: Second.Type) -> any Digit.Type {
    Pair<First, Second>.self
  }

  private final class Key<First: Digit, Second: Digit, Third: Digit>: Keyed {}

  private static func key<First: Digit, Second: Digit, Third: Digit>(
    _: First.Type, _: Second.Type, _: Third.Type
  ) -> any Keyed.Type {
    Key<First, Second, Third>.self
  }

  private protocol Digit: Sendable {}
  private enum Pair<First: Digit, Second: Digit>: Digit {}
  private enum Zero: Digit {}
  private enum One: Digit {}
  private enum Two: Digit {}
  private enum Three: Digit {}
  private enum Four: Digit {}
  private enum Five: Digit {}
  private enum Six: Digit {}
  private enum Seven: Digit {}
  private enum Eight: Digit {}
  private enum Nine: Digit {}

  private static let digits: [any Digit.Type] = [
    Zero.self, One.self, Two.self, Three.self, Four.self, Five.self, Six.self, Seven.self, Eight.self, Nine.self,
  ]
}
