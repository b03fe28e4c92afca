internal import DependencyInjection

/// One round of the isolation model: containers on three levels, and threads that ask them.
final class IsolationRound: Sendable {
  /// A container, and which one it is.
  struct Spot: Sendable {
    let place: IsolationPlace
    let container: DIContainer
  }

  private let world: IsolationWorld

  /// The app, two children of it, and a child of each.
  private let spots: [Spot]
  private let seed: UInt64
  private let steps: Int

  init(seed: UInt64, steps: Int) {
    (self.seed, self.steps) = (seed, steps)
    var generator = RepeatableGenerator(seed: seed)
    let world = IsolationWorld(IsolationPlan(using: &generator))
    let app = Spot(place: IsolationPlace(copy: world.containers, container: world.app), container: DIContainer())
    app.container.register {
      New(world.app)
      New(world.containers)
      // All keys, so that nothing is ever missing.
      for key in IsolationPlan.keys {
        world.registration(of: world.plan.spec(for: key, using: &generator), in: world.app, world.containers)
      }
    }
    var spots = [app]
    for (index, name) in [(0, "child a"), (0, "child b"), (1, "grandchild a"), (2, "grandchild b")] {
      let parent = spots[index]
      let specs = IsolationPlan.keys.filter { _ in Int.random(in: 0..<5, using: &generator) < 2 }.map {
        world.plan.spec(for: $0, using: &generator)
      }
      let (container, place) = world.child(of: parent.container, at: parent.place, registering: specs, name: name)
      spots.append(Spot(place: place, container: container))
    }
    (self.world, self.spots) = (world, spots)
  }

  /// Runs the round, and returns the first fault.
  func run() -> String? {
    let (world, spots) = (world, spots)
    onThreads(4) { [seed, steps] thread in
      let requester = IsolationRequester(seed: seed &* 31 &+ UInt64(thread), thread, world, spots)
      for _ in 0..<steps { requester.step() }
    }
    world.waitForTasks()
    // What is resolved as late as possible, and below everything else.
    let last = spots[spots.count - 1]
    DIContainer.withCurrent(last.container) {
      for piece in world.all { world.use(piece, from: last.place) }
    }
    world.waitForTasks()
    defer { world.end() }
    return world.firstFault()
  }

  /// What has been done.
  var operations: [String] { world.operations }
}

/// One of the threads that ask.
private final class IsolationRequester {
  private typealias Spot = IsolationRound.Spot
  private var generator: RepeatableGenerator
  private let name: String
  private let world: IsolationWorld
  private let spots: [Spot]

  /// The instances that it got.
  private var pieces: [IsolationPiece] = []

  init(seed: UInt64, _ thread: Int, _ world: IsolationWorld, _ spots: [IsolationRound.Spot]) {
    generator = RepeatableGenerator(seed: seed)
    (name, self.world, self.spots) = ("thread \(thread)", world, spots)
  }

  func step() { step(at: anySpot(), depth: 0) }

  private func anySpot() -> Spot { spots.randomElement(using: &generator)! }

  private func anyKey() -> Int { IsolationPlan.keys.randomElement(using: &generator)! }

  private func anySpecs(_ counts: ClosedRange<Int>) -> [IsolationSpec] {
    (0..<Int.random(in: counts, using: &generator)).map { _ in world.plan.anySpec(using: &generator) }
  }

  private func log(_ text: String) { world.log("\(name): \(text)") }

  /// Does something at a container, which is perhaps in a copy.
  private func step(at spot: Spot, depth: Int) {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<3: use(at: spot)
    case 3..<6 where depth < 2: override(at: spot, depth: depth)
    case 6..<8 where depth < 3: makeChild(of: spot, depth: depth)
    case 8..<10: register(at: spot)
    case 10: remove(at: spot)
    case 11: reset(at: spot)
    default: ask(at: spot)
    }
  }

  private func ask(at spot: Spot) {
    let key = anyKey()
    log("asks \(spot.place) for key \(key)")
    do {
      let (found, way) = try resolve(IsolationKey.all[key], from: spot.container)
      world.answer(found, to: spot.place, by: way)
      pieces.append(found.piece)
    } catch {
      world.fault("\(spot.place) cannot resolve key \(key): \(error)")
    }
  }

  private func resolve(_ key: IsolationKey, from container: DIContainer) throws -> (IsolationFound, way: String) {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return (try key.fromContainer(container), "the container")
    case 1: return (try DIContainer.withCurrent(container) { try key.fromCurrent() }, "the current container")
    case 2: return (DIContainer.withCurrent(container) { key.injected() }, "@Inject")
    case 3:
      // It belongs to the container where it was created.
      let property = DIContainer.withCurrent(container) { key.lazily(nil) }
      return (DIContainer.withCurrent(anySpot().container) { property() }, "@LazyInject, read elsewhere")
    default:
      let property = key.lazily(container)
      return (DIContainer.withCurrent(anySpot().container) { property() }, "@LazyInject(from:)")
    }
  }

  /// Lets an instance resolve what it resolves later, where it has never been.
  private func use(at spot: Spot) {
    let candidates = pieces.isEmpty || Bool.random(using: &generator) ? world.all : pieces
    guard let piece = candidates.randomElement(using: &generator) else { return }
    log("uses instance \(piece.number) at \(spot.place)")
    DIContainer.withCurrent(spot.container) { world.use(piece, from: spot.place) }
  }

  private func override(at spot: Spot, depth: Int) {
    let specs = anySpecs(0...3)
    log("overrides \(specs.map(\.key)) at \(spot.place)")
    DIContainer.withCurrent(spot.container) {
      world.withCopy(of: spot.place, overriding: specs) { place in
        let inside = Spot(place: place, container: .current)
        for _ in 0..<Int.random(in: 2...5, using: &generator) {
          // Now and then at something outside, which the copy has nothing to do with.
          let isOutside = Int.random(in: 0..<4, using: &generator) == 0
          step(at: isOutside ? anySpot() : inside, depth: depth + 1)
        }
      }
    }
    log("leaves the copy of \(spot.place)")
  }

  private func makeChild(of spot: Spot, depth: Int) {
    let (container, place) = world.child(of: spot.container, at: spot.place, registering: anySpecs(0...3))
    let child = Spot(place: place, container: container)
    log("makes \(place)")
    for _ in 0..<Int.random(in: 1...3, using: &generator) { step(at: child, depth: depth + 1) }
  }

  private func register(at spot: Spot) {
    let spec = world.plan.anySpec(using: &generator)
    log("registers key \(spec.key) at \(spot.place)")
    spot.container.register(world.registration(of: spec, in: spot.place.container, spot.place.copy))
  }

  private func remove(at spot: Spot) {
    // The app has all keys.
    if spot.place.container === world.app { return register(at: spot) }
    let key = anyKey()
    log("unregisters key \(key) at \(spot.place)")
    IsolationKey.all[key].unregister(spot.container)
  }

  private func reset(at spot: Spot) {
    log("resets something at \(spot.place)")
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: spot.container.reset()
    case 1: spot.container.reset(IsolationKey.session)
    case 2: spot.container.reset(.container)
    default: IsolationKey.all[anyKey()].reset(spot.container)
    }
  }
}
