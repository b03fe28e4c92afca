internal import Dispatch

/// A dictionary behind a serial queue: the strategy of version 2 of this library.
///
/// A key of the queue tells whether the caller is already on it, so that factories, which run on the queue, can resolve
/// what they need. This is only the strategy: version 2 did more on every resolution, and could not be specialized.
final class SerialQueueDictionary: AnyDictionary, @unchecked Sendable {
  // Unchecked: `entries` are used on the queue only.

  private let queue = DispatchQueue(label: "di-bench.serial-queue")
  private let isOnQueue = DispatchSpecificKey<Bool>()
  private var entries: [ObjectIdentifier: any Sendable] = [:]
  init() { queue.setSpecific(key: isOnQueue, value: true) }

  private func onQueue<Result>(_ body: () -> Result) -> Result {
    DispatchQueue.getSpecific(key: isOnQueue) == true ? body() : queue.sync(execute: body)
  }

  var count: Int { onQueue { entries.count } }
  func set(_ value: any Sendable, for key: ObjectIdentifier) { onQueue { entries[key] = value } }
  func instance<Value>(_ type: Value.Type) -> Value { onQueue { entries[ObjectIdentifier(type)]! as! Value } }

  func make<Value>(_ type: Value.Type, _ arguments: any Sendable) -> Value {
    onQueue {
      let factory = entries[ObjectIdentifier(type)]! as! Factory
      return factory(self, arguments) as! Value
    }
  }
}
