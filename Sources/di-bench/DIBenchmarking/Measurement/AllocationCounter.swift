internal import Foundation
internal import Synchronization

/// Counts the objects that Swift allocates, with the hooks that the runtime has for instruments.
enum AllocationCounter {
  /// Returns the number of objects that one operation of a workload allocates; nil if the runtime cannot tell.
  static func perOperation(of workload: Workload) throws(Violation) -> Double? {
    guard workload.countsAllocations else { return nil }
    let operations = max(workload.batch, 100 / workload.batch * workload.batch)
    // This leaves out what is allocated only the first time, and what a run allocates besides its operations.
    try workload.run(operations, 0)
    // The smallest of three counts: another thread of the process may allocate something meanwhile.
    let least = { (operations: Int) throws(Violation) -> Int? in
      try (0..<3).map { _ throws(Violation) in
        try count { () throws(Violation) in try workload.run(operations, 0) }
      }.compactMap { $0 }.min()
    }
    guard let once = try least(operations), let twice = try least(2 * operations) else { return nil }
    return max(0, Double(twice - once) / Double(operations))
  }

  /// Returns the number of objects that all threads allocate while a closure runs; nil if the runtime cannot tell.
  static func count(_ body: () throws(Violation) -> Void) throws(Violation) -> Int? {
    guard let hook = unsafe hook, let isEnabled = unsafe isEnabled else { return nil }
    // Before it is replaced.
    _ = unsafe original
    allocations.store(0, ordering: .relaxed)
    // Sound: both are variables of the runtime that live forever, and no other thread of this process writes to them.
    unsafe hook.pointee = { metadata, size, alignment in
      AllocationCounter.allocations.add(1, ordering: .relaxed)
      return unsafe AllocationCounter.original(metadata, size, alignment)
    }
    unsafe isEnabled.pointee = true
    defer {
      unsafe isEnabled.pointee = false
      unsafe hook.pointee = original
    }
    try body()
    return allocations.load(ordering: .relaxed)
  }

  private static let allocations = Atomic(0)
  private typealias Allocate = @convention(c) (UnsafeRawPointer, Int, Int) -> UnsafeMutableRawPointer
  /// The variable that holds the function that allocates objects.
  private nonisolated(unsafe) static let hook = unsafe symbol("_swift_allocObject")?
    .assumingMemoryBound(to: Allocate.self)
  /// The variable that tells the runtime to use the functions in such variables.
  private nonisolated(unsafe) static let isEnabled =
    unsafe symbol("_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")?
    .assumingMemoryBound(to: Bool.self)
  /// A variable of the runtime; nil on systems other than Linux, where nobody has verified the counts yet.
  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    #if os(Linux)
      unsafe dlsym(dlopen(nil, RTLD_NOW), name)
    #else
      nil
    #endif
  }

  /// The function that was in the variable at first; only used where there is one.
  private nonisolated(unsafe) static let original = unsafe hook!.pointee
}
