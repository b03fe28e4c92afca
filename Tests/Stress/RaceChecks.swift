internal import DIBenchmarking
internal import DependencyInjection
internal import Dispatch
internal import Foundation

/// Factories that return only after another thread has used the container.
final class SlowFactoryCheck: StressCheck {
  static let invariant = "a slow factory blocks nobody who needs something else"

  private let context: StressContext
  private let keys: [any Keyed.Type]
  /// What is resolved meanwhile: an instance that exists, and one that has to be created.
  private let (present, new) = (StressContext.keys(1, from: 305)[0], StressContext.keys(64, from: 306))

  init(_ context: StressContext) {
    self.context = context
    keys = StressContext.keys(min(context.threads, 64), from: 600)
    context.target.register(present, 0, shared: true, context.living) { _ in 1 }
    _ = try? context.target.serial(present, 0)
  }

  func step(_ thread: Int, _ random: inout RandomGenerator) throws {
    // Rarely: the threads spend the time that it takes waiting. If a lock is held, each step shows it.
    guard thread < keys.count, Int.random(in: 0..<16, using: &random) == 0 else { return }
    context.target.register(keys[thread], 0, shared: true, context.living) { [weak self] _ in
      try self?.useFromAnotherThread(thread) ?? 0
    }
    if try context.target.serial(keys[thread], 0).0 != 2 {
      throw Violation(message: "another thread could not resolve what it needed while a factory ran")
    }
  }

  private func useFromAnotherThread(_ thread: Int) throws -> Int {
    let (target, living, present, new) = (context.target, context.living, present, new[thread])
    let (found, isDone) = (Locked(0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      target.register(new, 0, shared: true, living) { _ in 1 }
      let sum = [present, new].reduce(0) { sum, type in sum + ((try? target.serial(type, 0).0) ?? 0) }
      found.withLock { $0 = sum }
      isDone.signal()
    }
    StressLog.note(.waiting) { isDone.wait() }
    return found.withLock { $0 }
  }
}

/// Threads fill a container together, and each finds what it has registered.
final class GrowthCheck: StressCheck {
  static let invariant = "what is registered is found while a container grows"

  private let context: StressContext
  private let keys = StressContext.keys(100, from: 700)
  private let tickets = StressCounter()
  private let newest: Locked<any StressTarget>

  init(_ context: StressContext) {
    self.context = context
    newest = Locked(context.makeTarget())
  }

  func step(_: Int, _: inout RandomGenerator) throws {
    let first = (tickets.add(1) - 1) * 10 % keys.count
    let new = first == 0 ? context.makeTarget() : nil
    let target = newest.withLock { target in
      target = new ?? target
      return target
    }
    for last in first..<first + 10 {
      target.register(keys[last], last, shared: false, context.living) { _ in last }
      for type in keys[first...last] where try !isRegistered(type, in: target) {
        throw Violation(message: "nil was resolved for what had been registered")
      }
    }
  }

  private func isRegistered(_ type: any Keyed.Type, in target: any StressTarget) throws -> Bool {
    func open<Key: Keyed>(_: Key.Type) throws -> Bool { try target.value(of: StressToken<Key>?.self) != nil }
    return try open(type)
  }
}

/// Threads replace values of every representation that a table has, while others resolve them.
final class WholeValueCheck: StressCheck {
  static let invariant = "a value is resolved whole while it is replaced, and released"

  private struct Numbers: Value {
    let first, second, third: Int
    init(_ number: Int, _: StressPart) { (first, second, third) = (number, number, number) }
    var isWhole: Bool { first == second && second == third }
  }

  private struct Parts: Value {
    let part: StressPart
    let numbers: Numbers
    init(_ number: Int, _ part: StressPart) { (self.part, numbers) = (part, Numbers(number, part)) }
    var isWhole: Bool { numbers.isWhole && part.number == numbers.first }
  }

  /// Two classes with the same layout: the reference of one with the conformance of the other is not whole.
  private final class Even: BoundValue {
    let number: Int
    let part: StressPart
    init(_ number: Int, _ part: StressPart) { (self.number, self.part) = (number, part) }
    var isWhole: Bool { number.isMultiple(of: 2) }
  }

  private final class Odd: BoundValue {
    let number: Int
    let part: StressPart
    init(_ number: Int, _ part: StressPart) { (self.number, self.part) = (number, part) }
    var isWhole: Bool { !number.isMultiple(of: 2) }
  }

  private let context: StressContext
  private let revision = StressCounter()

  init(_ context: StressContext) {
    self.context = context
    register()
  }

  private func register() {
    let (number, target, living) = (revision.add(1), context.target, context.living)
    target.register(shared: true) { _ in Numbers(number, StressPart(living)) }
    target.register(shared: true) { _ in Parts(number, StressPart(living, of: number)) }
    let make = { @Sendable () -> any BoundValue in
      number.isMultiple(of: 2) ? Even(number, StressPart(living)) : Odd(number, StressPart(living))
    }
    target.register(shared: true) { _ -> any Value in make() }
    target.register(shared: true) { _ in make() }
  }

  func step(_: Int, _ random: inout RandomGenerator) throws {
    for _ in 0..<10 {
      if Int.random(in: 0..<8, using: &random) == 0 { register() }
      let target = context.target
      let areWhole = try [
        target.value(of: Numbers.self).isWhole, target.value(of: Parts.self).isWhole,
        target.value(of: (any Value).self).isWhole, target.value(of: (any BoundValue).self).isWhole,
      ]
      if areWhole.contains(false) { throw Violation(message: "parts of two values were resolved as one") }
    }
  }
}

private protocol Value: Sendable {
  var isWhole: Bool { get }
}

private protocol BoundValue: AnyObject, Value {}
