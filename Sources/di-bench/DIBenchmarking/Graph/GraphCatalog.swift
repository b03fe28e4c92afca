internal import DependencyInjection
internal import Synchronization

/// The benchmarks of an app's modules.
enum GraphCatalog {
  typealias Modules = @Sendable () -> Module

  /// Returns benchmarks of registering everything and, for each root, of its start and its first and later resolutions.
  static func benchmarks(_ modules: @escaping Modules, _ roots: [Root]) -> [Benchmark] {
    let registering = Benchmark(
      "register/modules", "a new container in which everything is registered", threads: [1],
      .init(
        Benchmark.Implementation.container,
        Workload { count, _ in for _ in 0..<count { DIContainer().register(modules()) } }), .control)
    return [registering] + roots.flatMap { benchmarks(modules, $0) }
  }

  private static func benchmarks(_ modules: @escaping Modules, _ root: Root) -> [Benchmark] {
    let (name, fileID, line) = (Benchmark.Implementation.container, "\(root.fileID)", Int(root.line))
    return [
      Benchmark(
        "cold/\(root.name)", "a new process registers everything and resolves it", threads: [1],
        inOwnProcess: .init(interval: 1, seconds: 0.04),
        .init(
          name,
          Workload(only: 1) { _, _ throws(Violation) in
            DIContainer.shared.register(modules())
            try resolve(root)
          }), fileID: fileID, line: line),
      Benchmark(
        "first/\(root.name)", "the first resolve, after all instances have been dropped", threads: [1],
        .init(
          name,
          registered(modules) { count, _ throws(Violation) in
            for _ in 0..<count {
              DIContainer.shared.reset()
              try resolve(root)
            }
          }), .control, fileID: fileID, line: line),
      Benchmark(
        "warm/\(root.name)", "another resolve",
        .init(name, registered(modules) { count, _ throws(Violation) in for _ in 0..<count { try resolve(root) } }),
        .control, fileID: fileID, line: line),
    ]
  }

  /// Returns a workload after registering everything in the shared container, once for all workloads.
  private static func registered(_ modules: () -> Module, _ body: @escaping Workload.Body) -> Workload {
    if isRegistered.exchange(true, ordering: .relaxed) == false { DIContainer.shared.register(modules()) }
    // Objects are counted by hooks that some code of an app does not survive.
    return Workload(run: body).with { $0.allocates = false }
  }

  /// Relaxed: workloads are made on one thread.
  private static let isRegistered = Atomic(false)

  private static func resolve(_ root: Root) throws(Violation) {
    do { try root.resolve(DIContainer.shared) } catch {
      let cure =
        "\n  note       roots are resolved on any thread: register another one, or take the types that it needs as roots"
      let isElsewhere = [.asynchronous, .wrongActor].contains((error as? ResolutionError)?.code)
      throw Violation(message: "\(root.name) cannot be resolved: \(error)\(isElsewhere ? cure : "")")
    }
  }
}

extension Benchmark.Implementation {
  /// The control where nothing else does the same: a dictionary of a hundred instances behind a lock, and a cast.
  @usableFromInline static let control = Self(
    lockedDictionary,
    {
      let entries = Locked(Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, Box($0) as any Sendable) }))
      return Workload { count, _ throws(Violation) in
        var wrong = 0
        for index in 0..<count where (entries.withLock { $0[index % 100] } as? Box)?.number != index % 100 {
          wrong += 1
        }
        if wrong > 0 { throw .wrong(wrong, of: count, "returned another instance") }
      }
    }()
  ).asControl

  private final class Box: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }
}
