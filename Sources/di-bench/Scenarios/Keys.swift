/// A type that exists to be registered.
protocol Keyed: Sendable {
  init()
}

/// A thousand types: one generic class with three digits.
enum Keys {
  /// All of them.
  static let all: [any Keyed.Type] = digits.flatMap { first in
    digits.flatMap { second in digits.map { third in key(first, second, third) } }
  }

  private final class Key<First: Digit, Second: Digit, Third: Digit>: Keyed {}

  private static func key<First: Digit, Second: Digit, Third: Digit>(
    _: First.Type, _: Second.Type, _: Third.Type
  ) -> any Keyed.Type {
    Key<First, Second, Third>.self
  }

  private protocol Digit: Sendable {}
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
