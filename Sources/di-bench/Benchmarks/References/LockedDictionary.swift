internal import DependencyInjection
internal import Synchronization

#if DI_TSAN
  // The thread sanitizer does not understand the standard library's mutex.
  private typealias Lock<Value> = Locked<Value>
#else
  private typealias Lock<Value> = Mutex<Value>
#endif

/// A dictionary behind the platform's mutex: the control that is stable from machine to machine.
final class LockedDictionary: AnyDictionary {
  private let entries = Lock<[ObjectIdentifier: any Sendable]>([:])
  init() {}
  var count: Int { entries.withLock { $0.count } }
  func has(_ key: ObjectIdentifier) -> Bool { entries.withLock { $0[key] != nil } }
  func set(_ value: any Sendable, for key: ObjectIdentifier) { entries.withLock { $0[key] = value } }
  func instance<Value>(_ type: Value.Type) -> Value { entries.withLock { $0[ObjectIdentifier(type)]! } as! Value }

  func make<Value>(_ type: Value.Type, _ arguments: any Sendable) -> Value {
    // Called without the lock, which is not re-entrant.
    let factory = entries.withLock { $0[ObjectIdentifier(type)]! } as! Factory
    return factory(self, arguments) as! Value
  }

  func save() -> [ObjectIdentifier: any Sendable] { entries.withLock { $0 } }

  func restore(_ saved: [ObjectIdentifier: any Sendable]) {
    let replaced = entries.withLock { exchange(&$0, with: saved) }
    // Released here, without the lock, because it may contain the last references.
    _ = consume replaced
  }

  func copy() -> LockedDictionary {
    let copy = LockedDictionary()
    copy.restore(save())
    return copy
  }
}
