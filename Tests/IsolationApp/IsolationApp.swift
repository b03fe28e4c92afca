// Resolves what is isolated to actors from everywhere, and checks each result. It is a program of its own because tests
// are never linked statically, and because in a process of tests no code is on the main thread.

import DependencyInjection
import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@main
enum IsolationApp {
  static func main() {
    let (container, keeper) = (DIContainer(), Keeper())
    register(with: container, keeper)
    // The main thread is on the main actor even outside of every task.
    var wrong = checkSynchronously(container, from: .main, "the main thread")
    Task { @MainActor in
      wrong += checkSynchronously(container, from: .main, "the main actor")
      wrong += await checkAsynchronously(container, "the main actor")
      wrong += await Task { @ImageActor in
        checkSynchronously(container, from: .image, "another global actor")
          + (await checkAsynchronously(container, "another global actor"))
      }.value
      wrong += await keeper.run { checkSynchronously(container, from: .none, "an actor") }
      wrong += await Task.detached {
        checkSynchronously(container, from: .none, "no actor") + (await checkAsynchronously(container, "no actor"))
      }.value
      wrong += await verify(container)
      if wrong.isEmpty { print("Every result is right.") }
      for line in wrong { print(line) }
      exit(wrong.isEmpty ? 0 : 1)
    }
    dispatchMain()
  }

  /// Where factories run, and where they are resolved from.
  enum Place { case main, image, none }

  private static func register(with container: DIContainer, _ keeper: Keeper) {
    container.register {
      New { @MainActor in
        MainActor.preconditionIsolated()
        return MainPart()
      }
      Shared { @MainActor in
        MainActor.preconditionIsolated()
        return MainSharedPart()
      }
      New { @MainActor () throws -> MainFailingPart in throw Failure() }
      New { @MainActor resolve in
        await Task.yield()
        MainActor.preconditionIsolated()
        _ = try resolve.tryResolve(MainPart.self)
        return LateMainPart()
      }
      New { @ImageActor in
        ImageActor.shared.preconditionIsolated()
        return ImagePart()
      }
      New { @ImageActor () throws -> ImageFailingPart in throw Failure() }
      New { @ImageActor resolve in
        await Task.yield()
        ImageActor.shared.preconditionIsolated()
        _ = try resolve.tryResolve(ImagePart.self)
        return LateImagePart()
      }
      New { _ in await keeper.make() }
      New(keeper.makeLater)
      New { resolve in
        _ = try await (resolve.resolveAsync(MainPart.self), resolve.resolveAsync(ImagePart.self))
        return LatePart()
      }
      New { _ async throws -> LateFailingPart in throw Failure() }
      New(FreePart())
    }
  }

  /// Resolves without waiting, which only works where the factory has to run.
  private static func checkSynchronously(_ container: DIContainer, from place: Place, _ name: String) -> [String] {
    var wrong: [String] = []
    func check<Value: Part>(_: Value.Type, on actor: Place, _ code: ResolutionError.Code? = nil) {
      let expected = actor == .none || actor == place ? code : .wrongActor
      do throws(ResolutionError) {
        _ = try container.tryResolve(Value.self)
        if expected != nil { wrong.append("tryResolve(\(Value.self).self) succeeds on \(name).") }
      } catch {
        if error.code != expected { wrong.append("tryResolve(\(Value.self).self) fails on \(name): \(error)") }
      }
      // A wrong answer would trap.
      if expected == nil && wrong.isEmpty { _ = container.resolve(Value.self) }
    }
    check(MainPart.self, on: .main)
    check(MainFailingPart.self, on: .main, .factoryFailed)
    check(ImagePart.self, on: .image)
    check(ImageFailingPart.self, on: .image, .factoryFailed)
    check(LateMainPart.self, on: .none, .asynchronous)
    check(LateImagePart.self, on: .none, .asynchronous)
    check(KeeperPart.self, on: .none, .asynchronous)
    check(LateKeeperPart.self, on: .none, .asynchronous)
    check(LatePart.self, on: .none, .asynchronous)
    check(LateFailingPart.self, on: .none, .asynchronous)
    check(FreePart.self, on: .none)
    return wrong
  }

  /// Resolves with waiting, which works everywhere.
  private static func checkAsynchronously(
    _ container: DIContainer, isolation: isolated (any Actor)? = #isolation, _ name: String
  ) async -> [String] {
    var wrong: [String] = []
    func check<Value: Part>(
      isolation: isolated (any Actor)?, _: Value.Type, _ expected: ResolutionError.Code? = nil
    ) async -> Value? {
      do {
        let value = try await container.resolveAsync(Value.self)
        if expected != nil { wrong.append("resolveAsync(\(Value.self).self) succeeds on \(name).") }
        return value
      } catch {
        let code = (error as? ResolutionError)?.code
        if code != expected { wrong.append("resolveAsync(\(Value.self).self) fails on \(name): \(error)") }
        return nil
      }
    }
    _ = await check(isolation: isolation, MainPart.self)
    let shared = await check(isolation: isolation, MainSharedPart.self)
    if await check(isolation: isolation, MainSharedPart.self) !== shared {
      wrong.append("Two instances of MainSharedPart on \(name).")
    }
    _ = await check(isolation: isolation, MainFailingPart.self, .factoryFailed)
    _ = await check(isolation: isolation, LateMainPart.self)
    _ = await check(isolation: isolation, ImagePart.self)
    _ = await check(isolation: isolation, ImageFailingPart.self, .factoryFailed)
    _ = await check(isolation: isolation, LateImagePart.self)
    _ = await check(isolation: isolation, KeeperPart.self)
    _ = await check(isolation: isolation, LateKeeperPart.self)
    _ = await check(isolation: isolation, LatePart.self)
    _ = await check(isolation: isolation, LateFailingPart.self, .factoryFailed)
    _ = await check(isolation: isolation, FreePart.self)
    return wrong
  }

  /// Checks all registrations, and those that a child adds: `CountedPart` needs a part that is missing, so the check
  /// abandons the thread on which its factory runs.
  private static func verify(_ container: DIContainer) async -> [String] {
    let child = DIContainer(parent: container)
    child.register {
      New { (resolve: Resolver) in CountedPart(resolve.resolve(Int.self)) }
      New { (resolve: Resolver) in Pair(resolve.resolve(FreePart.self), resolve.resolve(MainSharedPart.self)) }
    }
    var wrong: [String] = []
    for (container, expected) in [(container, []), (child, [ResolutionError.Code.missingRegistration])] {
      do {
        try await container.verify()
        wrong.append("verify() finds nothing.")
      } catch {
        let codes = (error as? VerificationError)?.failures.map(\.code)
        if codes != [.factoryFailed, .factoryFailed, .factoryFailed] + expected {
          wrong.append("verify() finds \(error)")
        }
      }
    }
    let graph = await child.graph()
    let edges = graph.edges.map { "\(graph.registrations[$0.from].type) \(graph.registrations[$0.to].type)" }
    let expected: Set = [
      "LateMainPart MainPart", "LateImagePart ImagePart", "LatePart MainPart", "LatePart ImagePart", "Pair FreePart",
      "Pair MainSharedPart",
    ]
    if Set(edges) != expected || edges.count != expected.count { wrong.append("graph() has the edges \(edges).") }
    return wrong
  }
}
