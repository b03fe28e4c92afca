internal import DIBenchmarking

extension Benchmark.Implementation {
  static func container(_ workload: @autoclosure @escaping @Sendable () -> Workload) -> Self {
    Self(container, installed(workload))
  }

  /// The container, in a process whose shared container is empty before.
  static func emptyContainer(_ workload: @autoclosure @escaping @Sendable () -> Workload) -> Self {
    Self(container, workload())
  }

  /// A dictionary behind a mutex, which is empty before.
  static func emptyDictionary(_ workload: @autoclosure @escaping @Sendable () -> Workload) -> Self {
    Self(lockedDictionary, workload())
  }

  /// The fastest that can be written by hand, under its name.
  static func byHand(_ name: String, _ workload: @autoclosure @escaping @Sendable () -> Workload) -> Self {
    Self("reference/" + name, installed(workload))
  }

  /// A dictionary behind a mutex: a new one with what the benchmarks resolve.
  static func dictionary(_ workload: @escaping @Sendable (LockedDictionary) -> Workload) -> Self {
    Self(lockedDictionary, workload(.filled()))
  }

  static func queue(_ workload: @escaping @Sendable (SerialQueueDictionary) -> Workload) -> Self {
    Self(serialQueue, workload(.filled()))
  }

  /// The dictionary in `resolve/shared`: the control of what has no equal in a dictionary.
  static let dictionary = dictionary { entries in .same { entries.instance((any Service).self).identity } }

  /// Makes a workload after the shared container has been filled.
  private static func installed(_ workload: () -> Workload) -> Workload {
    _ = ContainerProvider.installed
    return workload()
  }
}
