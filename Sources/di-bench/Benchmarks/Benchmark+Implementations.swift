internal import DIBenchmarking

extension Benchmark.Implementation {
  static func container(_ workload: @autoclosure @escaping @Sendable () -> Workload) -> Self {
    Self(container, installed(workload))
  }

  /// The container, in a process whose shared container is still empty.
  static func emptyContainer(_ workload: @autoclosure @escaping @Sendable () -> Workload) -> Self {
    Self(container, workload())
  }

  /// An empty dictionary behind a mutex.
  static func emptyDictionary(_ workload: @autoclosure @escaping @Sendable () -> Workload) -> Self {
    Self(lockedDictionary, workload())
  }

  /// The fastest code that can be written by hand, with a name of its own.
  static func byHand(_ name: String, _ workload: @autoclosure @escaping @Sendable () -> Workload) -> Self {
    Self("reference/" + name, installed(workload))
  }

  /// A new dictionary behind a mutex with everything that the benchmarks resolve.
  static func dictionary(_ workload: @escaping @Sendable (LockedDictionary) -> Workload) -> Self {
    Self(lockedDictionary, workload(.filled()))
  }

  static func queue(_ workload: @escaping @Sendable (SerialQueueDictionary) -> Workload) -> Self {
    Self(serialQueue, workload(.filled()))
  }

  /// The dictionary in `resolve/shared`: the control where a dictionary has no equivalent.
  static let dictionary = dictionary { entries in .same { entries.instance((any Service).self).identity } }

  /// Fills the shared container, and then makes a workload.
  private static func installed(_ workload: () -> Workload) -> Workload {
    _ = ContainerProvider.installed
    return workload()
  }
}
