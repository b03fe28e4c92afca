internal import DependencyInjection
internal import Synchronization

/// Reports from inside a resolution, which are made when the resolution is over.
///
/// XCTest may interrupt a failing test with an exception, and a creation in progress would never end. So a report from
/// inside a factory waits for the outermost factory to return. This applies only to XCTest, which runs one test at a
/// time in a process: Swift Testing interrupts nothing.
enum Reports {
  private static let waiting = Locked<[@Sendable () -> Void]>([])

  /// A Boolean value that indicates whether a report has ever waited; relaxed, because the lock orders the reports, and
  /// one that another thread keeps at this moment waits for the next resolution.
  private static let isUsed = Atomic(false)

  /// Makes a report, or keeps it if a factory made the request.
  static func add(inside resolution: ResolutionEvent, _ report: @escaping @Sendable () -> Void) {
    if resolution.isNested, TestFramework.current == .xctest { return keep(report) }
    report()
  }

  /// Keeps a report until the outermost factory has returned.
  static func keep(_ report: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(report) }
    isUsed.store(true, ordering: .relaxed)
  }

  /// Makes the waiting reports if a resolution was the outermost one.
  static func make(after resolution: ResolutionEvent) {
    if isUsed.load(ordering: .relaxed), !resolution.isNested { makeAll() }
  }

  /// Makes the waiting reports.
  static func makeAll() {
    let reports = waiting.withLock { exchange(&$0, with: []) }
    for report in reports { report() }
  }
}
