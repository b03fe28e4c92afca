internal import DependencyInjection
internal import Dispatch
internal import Foundation
internal import Synchronization

@testable import DIBenchmarking
@testable import DIStressChecks
@testable import di_bench

/// A container that works correctly, except now and then.
struct FaultyTarget: StressTarget {
  /// The faulty behavior.
  enum Fault: String, CaseIterable {
    case createsTwice, losesRegistrations, leaksOverrides, reusesNew, mixesKeys, changesRestored, keepsReplaced
    case losesReset, losesResetOfType, losesOptionals, tearsValues, keepsRegistrations, blocksOthers
    case hidesCycles, keepsFactories, mixesReferences
  }

  /// A Boolean value that ends what `blocksOthers` blocks.
  static let isOpen = Locked(false)

  private let inner = StressContainer()
  private let faults: Faults

  /// The fault and its time; factories hold this and not the container, which would be held forever.
  private final class Faults: Sendable {
    let fault: Fault?
    let count = Atomic(0)
    let kept = Locked<[any Sendable]>([])
    let last = Locked(Last(token: nil))
    /// The value that was created last.
    let former = Locked<(any Sendable)?>(nil)
    /// Registers again what was registered last.
    let newest = Locked<(@Sendable (StressContainer) -> Void)?>(nil)
    /// The number of factories that are running.
    let running = Locked(0)

    init(_ fault: Fault?) {
      self.fault = fault
    }

    /// Returns a Boolean value that indicates whether this is one of the few calls that go wrong in the given way.
    func areDue(_ fault: Fault, every interval: Int) -> Bool {
      fault == self.fault && count.add(1, ordering: .relaxed).newValue.isMultiple(of: interval)
    }
  }

  /// The instance that was created last.
  private final class Memory<Value: Sendable>: Sendable {
    let value = Locked<Value?>(nil)
  }

  init(_ fault: Fault?) {
    faults = Faults(fault)
  }

  func register<Value: Sendable>(
    shared: Bool, _ make: @escaping @Sendable (any StressResolver) throws -> Value
  ) {
    // Not those of the beginning, without which nothing works.
    if faults.areDue(.losesRegistrations, every: 300) { return }
    switch faults.fault {
    case .createsTwice where SharedOnceCheck.tokens.contains(ObjectIdentifier(Value.self)):
      // Exactly once, but not if two ask at the same time.
      let first = Memory<Value>()
      inner.register(shared: false) { resolver in
        if let value = first.value.withLock({ $0 }) { return value }
        sched_yield()
        let value = try make(resolver)
        first.value.withLock { $0 = value }
        return value
      }
    case .reusesNew where !shared:
      let last = Memory<Value>()
      inner.register(shared: false) { [faults] resolver in
        if faults.areDue(.reusesNew, every: 100), let value = last.value.withLock({ $0 }) { return value }
        let value = try make(resolver)
        last.value.withLock { $0 = value }
        return value
      }
    case .mixesKeys:
      inner.register(shared: shared) { [faults] resolver in
        let value = try make(resolver)
        guard let token = value as? any Token else { return value }
        let isDue = faults.areDue(.mixesKeys, every: 100)
        let other = faults.last.withLock { last in
          defer { last = Last(token: token) }
          return last.token
        }
        guard isDue, let other, other.key != token.key else { return value }
        // Sound: tokens have the same layout, whatever their key. A container that mixes up its casts does the same.
        return unsafe unsafeBitCast(other as AnyObject, to: Value.self)
      }
    case .keepsReplaced:
      inner.register(shared: shared) { [faults] resolver in
        let value = try make(resolver)
        faults.kept.withLock { $0.append(value) }
        return value
      }
    case .tearsValues where _isPOD(Value.self):
      inner.register(shared: shared) { resolver in
        var value = try make(resolver)
        // Sound: the value has no references.
        unsafe withUnsafeMutableBytes(of: &value) { unsafe $0[0] &+= 1 }
        return value
      }
    case .mixesReferences where !_isPOD(Value.self) && MemoryLayout<Value>.size == 4 * MemoryLayout<Int>.size:
      inner.register(shared: shared) { [faults] resolver in
        var value = try make(resolver)
        faults.former.withLock { former in
          var other = former as? Value ?? value
          // Sound: both begin with a reference of the same type.
          unsafe withUnsafeMutableBytes(of: &value) { value in
            unsafe withUnsafeMutableBytes(of: &other) { other in
              let size = MemoryLayout<Int>.size
              for index in 0..<size { unsafe swap(&value[index], &other[index]) }
            }
          }
          former = other
        }
        return value
      }
    case .keepsRegistrations:
      faults.newest.withLock { $0 = { $0.register(shared: shared, make) } }
      inner.register(shared: shared, make)
    case .hidesCycles where !shared:
      inner.register(shared: false) { resolver in
        do { return try make(resolver) } catch let error as ResolutionError where error.code == .cycle {
          throw Violation(message: "there is no end")
        }
      }
    case .keepsFactories where !shared:
      Forever.keep(make)
      inner.register(shared: false, make)
    case .blocksOthers:
      // Only threads without a log wait, which no factory waits for unless it is slow.
      while StressLog.mine == nil, !Self.isOpen.withLock(\.self), faults.running.withLock({ $0 > 0 }) {
        sched_yield()
      }
      inner.register(shared: shared) { [faults] resolver in
        faults.running.withLock { $0 += 1 }
        defer { faults.running.withLock { $0 -= 1 } }
        return try make(resolver)
      }
    default: inner.register(shared: shared, make)
    }
  }

  func value<Value>(of type: Value.Type) throws -> Value {
    if let optional = type as? any ExpressibleByNilLiteral.Type, faults.areDue(.losesOptionals, every: 100),
      let none = optional.init(nilLiteral: ()) as? Value
    {
      return none
    }
    return try inner.value(of: type)
  }

  func overriding<Value: Sendable, Result>(
    with value: Value, _ body: (any StressScope) throws -> Result
  ) throws -> Result {
    if faults.areDue(.leaksOverrides, every: 100) { inner.register(shared: true) { _ in value } }
    return try inner.overriding(with: value, body)
  }

  func reset<Value>(_ type: Value.Type) {
    if !faults.areDue(.losesResetOfType, every: 20) { inner.reset(type) }
  }

  func reset() {
    // Each target is reset once.
    if faults.fault != .losesReset { inner.reset() }
  }

  func save() -> any Sendable { inner.save() }

  func restore(_ saved: any Sendable) {
    if !faults.areDue(.changesRestored, every: 20) { inner.restore(saved) }
    faults.newest.withLock { $0 }?(inner)
  }

  func isCycle(_ error: any Error) -> Bool { inner.isCycle(error) }
}

/// Something that nobody ever releases.
private final class Forever: Sendable {
  private let kept: any Sendable
  private let itself = Locked<Forever?>(nil)

  private init(_ kept: any Sendable) {
    self.kept = kept
  }

  static func keep(_ kept: any Sendable) {
    let forever = Forever(kept)
    forever.itself.withLock { $0 = forever }
  }
}

/// The token that was created last, which a check may see go.
private struct Last: Sendable {
  weak let token: (any Token)?
}

/// A token of any key.
private protocol Token: AnyObject, Sendable {
  var key: Int { get }
}

extension StressToken: Token {}

/// A container with a lock for each type, which is held while the type is created: cycles hang.
///
/// Or it has one lock, which is held while an instance is released: a `deinit` that uses the container hangs.
struct HangingTarget: StressTarget {
  private let inner = StressContainer()
  private let locks: Locks

  /// The locks of all containers; `open` ends the hang.
  final class Locks: @unchecked Sendable {
    /// The times at which a lock is held.
    enum Use {
      case creating, releasing
    }

    private let use: Use
    /// Guards the rest, and is signaled when a lock is free.
    private let condition = NSCondition()
    private var owners: [ObjectIdentifier: ObjectIdentifier] = [:]
    private var isOpen = false

    init(_ use: Use) {
      self.use = use
    }

    func open() {
      condition.withLock { isOpen = true }
      condition.broadcast()
    }

    func withLock<Result>(_ key: Any.Type, for use: Use, _ body: () throws -> Result) rethrows -> Result {
      // Every thread has a log; without one this is not a race.
      guard use == self.use, let me = StressLog.mine.map({ ObjectIdentifier($0) }) else { return try body() }
      let key = ObjectIdentifier(key)
      let isMine = condition.withLock {
        // A thread may create a type again while it creates it.
        while !isOpen, let owner = owners[key], owner != me || use == .releasing { condition.wait() }
        defer { owners[key] = me }
        return owners[key] != me
      }
      defer {
        if isMine {
          condition.withLock { owners[key] = nil }
          condition.broadcast()
        }
      }
      // Gives the other threads time to take their first lock, too.
      sched_yield()
      return try body()
    }
  }

  init(_ locks: Locks) {
    self.locks = locks
  }

  func register<Value: Sendable>(
    shared: Bool, _ make: @escaping @Sendable (any StressResolver) throws -> Value
  ) {
    // The factory holds the locks and not the container, which would be held forever.
    inner.register(shared: shared) { [locks] resolver in try make(Locking(resolver: resolver, locks: locks)) }
  }

  /// Locks what factories resolve.
  private struct Locking: StressResolver {
    let resolver: any StressResolver
    let locks: Locks

    func value<Value>(of type: Value.Type) throws -> Value {
      try locks.withLock(type, for: .creating) { try resolver.value(of: type) }
    }
  }

  func value<Value>(of type: Value.Type) throws -> Value {
    try locks.withLock(type, for: .creating) { try inner.value(of: type) }
  }

  func overriding<Value: Sendable, Result>(
    with value: Value, _ body: (any StressScope) throws -> Result
  ) throws -> Result {
    try inner.overriding(with: value, body)
  }

  func reset<Value>(_ type: Value.Type) {
    locks.withLock(HangingTarget.self, for: .releasing) { inner.reset(type) }
  }

  func reset() { inner.reset() }
  func save() -> any Sendable { inner.save() }
  func restore(_ saved: any Sendable) { inner.restore(saved) }
  func isCycle(_ error: any Error) -> Bool { inner.isCycle(error) }
}
