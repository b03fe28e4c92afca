import DependencyInjection

/// An actor other than the main actor.
@globalActor
actor ImageActor {
  static let shared = ImageActor()
}

/// An actor whose methods are factories.
actor Keeper {
  func make() -> KeeperPart {
    preconditionIsolated()
    return KeeperPart()
  }

  func makeLater(_ resolve: Resolver) async -> LateKeeperPart {
    await Task.yield()
    preconditionIsolated()
    return LateKeeperPart()
  }

  /// Runs a closure on the actor.
  func run<Result: Sendable>(_ body: @Sendable () -> Result) -> Result { body() }
}

/// The error that a factory throws.
struct Failure: Error {}

/// What is created on an actor, or on any thread.
class Part: @unchecked Sendable {
  // Unchecked: it has no state.
}

final class MainPart: Part, @unchecked Sendable {}

final class MainSharedPart: Part, @unchecked Sendable {}

final class MainFailingPart: Part, @unchecked Sendable {}

final class LateMainPart: Part, @unchecked Sendable {}

final class ImagePart: Part, @unchecked Sendable {}

final class ImageFailingPart: Part, @unchecked Sendable {}

final class LateImagePart: Part, @unchecked Sendable {}

final class KeeperPart: Part, @unchecked Sendable {}

final class LateKeeperPart: Part, @unchecked Sendable {}

final class LatePart: Part, @unchecked Sendable {}

final class LateFailingPart: Part, @unchecked Sendable {}

final class FreePart: Part, @unchecked Sendable {}

final class CountedPart: Part, @unchecked Sendable {
  init(_: Int) {}
}

final class Pair: Part, @unchecked Sendable {
  init(_: FreePart, _: MainSharedPart) {}
}
