internal import DependencyInjection

/// A registration of the asynchronous model test: what its factory does, step by step.
///
/// Keys are numbers. What is registered for one of the first three is always synchronous, and asks only for these. So
/// nothing that `resolveAsync` is asked for ever fails because it had to be created asynchronously.
struct AsyncEntry: Sendable {
  enum Life: CaseIterable {
    case shared, new, weak, perGraph, scoped

    /// One for each container that asks.
    case perContainer
  }

  enum Step {
    /// Resolves a part of the instance.
    case part(Int)

    /// Resolves several parts at the same time, in a task group.
    case parts([Int])

    /// Starts a task that resolves something, and does not wait for it.
    case stray(Int)

    /// Waits for a signal, which notices a cancellation.
    case signal(Int)
    case yield(Int)

    /// Fails, the first few times.
    case fail(times: Int)

    /// Changes a container, for example the registration of which this is the factory.
    case change(AsyncChange)
  }

  static let keys = 0..<8
  static let synchronousKeys = 0..<3

  /// Unlike that of any other registration.
  let number: Int

  /// The only container in which it is ever registered.
  let container: Int
  let key: Int
  let life: Life
  let isAsync: Bool
  let steps: [Step]

  /// A Boolean value that indicates whether it continues if it is canceled while it waits for a signal.
  let ignoresCancellation: Bool

  /// What its instances resolve when they go.
  let lastKey: Int?

  /// A Boolean value that indicates whether a container is expected to hand out the same instance again.
  var isKept: Bool { life != .new && life != .perGraph }

  /// The container for which an instance is created, and which keeps it, if it is kept.
  func home(askedFrom container: Int) -> Int {
    switch life {
    case .shared, .weak, .scoped: self.container
    case .new, .perGraph, .perContainer: container
    }
  }

  /// Everything that the factory asks for.
  var needs: [Int] {
    steps.flatMap { step -> [Int] in
      switch step {
      case .part(let key), .stray(let key): [key]
      case .parts(let keys): keys
      default: []
      }
    }
  }
}

/// What is done to a container while others resolve from it.
indirect enum AsyncChange: Sendable {
  case register(AsyncEntry)
  case unregister(container: Int, key: Int)
  case reset(container: Int)
  case resetScope(container: Int)

  /// Ends what the container has because it has asked for it.
  case resetOwn(container: Int)

  /// Where it happens.
  var container: Int {
    switch self {
    case .register(let entry): entry.container
    case .unregister(let container, _), .reset(let container), .resetScope(let container), .resetOwn(let container):
      container
    }
  }

  /// The key that something else answers afterward, if it is a matter of one.
  var key: Int? {
    switch self {
    case .register(let entry): entry.key
    case .unregister(_, let key): key
    case .reset, .resetScope, .resetOwn: nil
    }
  }
}

extension AsyncEntry {
  /// The name under which a key is registered.
  static func name(_ key: Int) -> DependencyName { names[key] }
  private static let names: [DependencyName] = keys.map { DependencyName("key \($0)") }
}

extension AsyncEntry: CustomStringConvertible {
  var description: String {
    "\(isAsync ? "async" : "sync") \(life) \(number) for key \(key) of container \(container): \(steps)"
      + (ignoresCancellation ? ", ignores cancellation" : "") + (lastKey.map { ", resolves \($0) in deinit" } ?? "")
  }
}
