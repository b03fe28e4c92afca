internal import DependencyInjection
internal import Synchronization

/// The scenarios of an app's modules.
enum GraphCatalog {
  /// Registering everything, and for each root its start, its first resolution and the next ones.
  static func scenarios(_ modules: @escaping @Sendable () -> Module, _ roots: [Root]) -> [Scenario] {
    [
      Scenario(
        "register/modules", "a new container in which everything is registered", isConcurrent: false,
        .init(
          Scenario.Implementation.container,
          Workload { count, _ in for _ in 0..<count { DIContainer().register(modules()) } }), control)
    ]
      + roots.flatMap { root in
        [
          Scenario(
            "cold/\(root.name)", "a new process registers everything and resolves it", isConcurrent: false,
            inOwnProcess: .init(interval: 1, seconds: 0.04),
            .init(
              Scenario.Implementation.container,
              Workload(only: 1) { _, _ throws(Violation) in
                DIContainer.shared.register(modules())
                try resolve(root)
              })),
          Scenario(
            "first/\(root.name)", "the first resolve, after all instances have been dropped", isConcurrent: false,
            .init(
              Scenario.Implementation.container,
              registered(modules) { count, _ throws(Violation) in
                for _ in 0..<count {
                  DIContainer.shared.reset()
                  try resolve(root)
                }
              }), control),
          Scenario(
            "warm/\(root.name)", "another resolve",
            .init(
              Scenario.Implementation.container,
              registered(modules) { count, _ throws(Violation) in for _ in 0..<count { try resolve(root) } }), control
          ),
        ]
      }
  }

  /// A workload, after everything has been registered in the shared container, once for all of them.
  private static func registered(
    _ modules: () -> Module, _ body: @escaping Workload.Body
  ) -> Workload {
    if isRegistered.exchange(true, ordering: .relaxed) == false { DIContainer.shared.register(modules()) }
    // Objects are counted by hooks that not all code of an app survives.
    return Workload(run: body).with { $0.allocates = false }
  }

  /// Relaxed: workloads are made on one thread.
  private static let isRegistered = Atomic(false)

  private static func resolve(_ root: Root) throws(Violation) {
    do { try root.resolve(DIContainer.shared) } catch {
      throw Violation(message: "\(root.name) cannot be resolved: \(error)")
    }
  }

  /// The control of a graph: a dictionary of a hundred instances behind a lock, and a cast.
  private static var control: Scenario.Implementation {
    .init(
      Scenario.Implementation.lockedDictionary,
      {
        let entries = Locked(Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, Box($0) as any Sendable) }))
        return Workload { count, _ throws(Violation) in
          var wrong = 0
          for index in 0..<count where (entries.withLock { $0[index % 100] } as? Box)?.number != index % 100 {
            wrong += 1
          }
          if wrong > 0 { throw .wrong(wrong, of: count, "returned another instance") }
        }
      }())
  }

  private final class Box: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }
}
