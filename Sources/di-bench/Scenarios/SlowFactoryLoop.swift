internal import DependencyInjection
internal import Dispatch
internal import Foundation

/// What takes long to create.
protocol SlowPart: Sendable {}

/// The one implementation of `SlowPart`: half a millisecond.
struct SlowPartImpl: SlowPart {
  init() {
    let end = DispatchTime.now().uptimeNanoseconds + 500_000
    while DispatchTime.now().uptimeNanoseconds < end {}
  }
}

/// Something that creates a slow part again and again, for one thread.
protocol SlowCreating: Provider {
  func createSlowly()
}

/// Resolves the one instance while one more thread creates something slowly; the time is that of the slowest in 100.
final class SlowFactoryLoop<Source: SlowCreating>: Loop {
  private let provider: Source
  private let expected: ObjectIdentifier
  private let slowest = Locked<[Int: Int]>([:])

  init(_ provider: Source) {
    self.provider = provider
    expected = provider.service().identity
  }

  var registrations: Int? { provider.registrations }
  var isAccompanied: Bool { true }

  func run(_ operations: Int, thread: Int) throws(Violation) {
    var times: [Int] = []
    times.reserveCapacity(operations)
    var wrong = 0
    for _ in 0..<operations {
      let start = DispatchTime.now().uptimeNanoseconds
      if provider.service().identity != expected { wrong &+= 1 }
      times.append(Int(DispatchTime.now().uptimeNanoseconds - start))
    }
    times.sort()
    let percentile = times[times.count * 99 / 100]
    slowest.withLock { $0[thread] = percentile }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned another instance of a shared class") }
  }

  /// What stands for the time of one operation.
  var nanosecondsPerOperation: Double? {
    slowest.withLock { $0.values.max() }.map { Double(max(1, $0)) }
  }

  func accompany(while isNeeded: () -> Bool) {
    repeat { provider.createSlowly() } while isNeeded()
  }
}

extension ContainerProvider: SlowCreating {
  func createSlowly() {
    DIContainer.register(Shared(SlowPartImpl() as any SlowPart))
    _ = DIContainer.resolve((any SlowPart).self)
  }
}

extension DirectProvider: SlowCreating {
  func createSlowly() { _ = SlowPartImpl() }
}
