/// A type that exists to be registered.
package protocol Keyed: Sendable {
  init()
}

/// Types in any number: one generic class with digits.
package enum Keys {
  package static let all = keys(beginningWith: digits)
  /// Ten thousand types; using this creates them.
  package static let many = keys(
    beginningWith: digits.flatMap { first in digits.map { second in pair(first, second) } })

  private static let digits: [any Any.Type] = [
    Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, Float.self,
    Double.self,
  ]

  private static func keys(beginningWith firsts: [any Any.Type]) -> [any Keyed.Type] {
    firsts.flatMap { first in digits.flatMap { second in digits.map { third in key(first, second, third) } } }
  }

  private enum Pair<First, Second> {}
  private final class Key<First, Second, Third>: Keyed {}
  private static func pair<First, Second>(_: First.Type, _: Second.Type) -> any Any.Type { Pair<First, Second>.self }

  private static func key<First, Second, Third>(
    _: First.Type, _: Second.Type, _: Third.Type
  ) -> any Keyed.Type { Key<First, Second, Third>.self }
}
