/// Something that a program creates when it starts.
public protocol Part: AnyObject, Sendable {
  init()

  /// Which of the parts it is, from 0.
  var number: Int { get }
}

/// A hundred types: one generic class with two digits.
public enum Parts {
  /// All of them.
  public static var all: [any Part.Type] {
    digits.flatMap { first in digits.map { second in type(first, second) } }
  }

  /// What the numbers of one instance of each type add up to.
  public static var checksum: Int { (0..<100).reduce(0, +) }

  private final class Pair<First: Digit, Second: Digit>: Part {
    let number = First.value * 10 + Second.value
  }

  private static func type<First: Digit, Second: Digit>(_: First.Type, _: Second.Type) -> any Part.Type {
    Pair<First, Second>.self
  }

  private protocol Digit: Sendable {
    static var value: Int { get }
  }

  private enum Zero: Digit { static var value: Int { 0 } }
  private enum One: Digit { static var value: Int { 1 } }
  private enum Two: Digit { static var value: Int { 2 } }
  private enum Three: Digit { static var value: Int { 3 } }
  private enum Four: Digit { static var value: Int { 4 } }
  private enum Five: Digit { static var value: Int { 5 } }
  private enum Six: Digit { static var value: Int { 6 } }
  private enum Seven: Digit { static var value: Int { 7 } }
  private enum Eight: Digit { static var value: Int { 8 } }
  private enum Nine: Digit { static var value: Int { 9 } }

  private static let digits: [any Digit.Type] = [
    Zero.self, One.self, Two.self, Three.self, Four.self, Five.self, Six.self, Seven.self, Eight.self, Nine.self,
  ]
}
