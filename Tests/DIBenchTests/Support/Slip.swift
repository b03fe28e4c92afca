internal import Synchronization

/// Returns the right value, except for one call.
final class Slip: Sendable {
  private let calls = Atomic(0)
  private let wrongCall: Int

  init(at call: Int = 10) {
    wrongCall = call
  }

  /// The first value, but the second one in the wrong call.
  func value<Value>(_ right: @autoclosure () -> Value, _ wrong: @autoclosure () -> Value) -> Value {
    calls.add(1, ordering: .relaxed).newValue == wrongCall ? wrong() : right()
  }
}
