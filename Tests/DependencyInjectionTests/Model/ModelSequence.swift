internal import DITesting
internal import DependencyInjection

/// A random sequence of everything that can be done with containers, on both sides and compared after every step.
///
/// It works on a container that may belong to others too, as long as they leave the types of this cast alone, and on
/// children, copies and snapshots of its own.
final class ModelSequence {
  /// A container and what it is expected to be.
  private struct Pair {
    let name: Int
    let container: DIContainer
    let model: ContainerModel
  }

  private struct Taken {
    let name: Int
    let origin: Int
    let snapshot: Registry.Snapshot
    let content: [ContainerModel.Content]

    /// A Boolean value that indicates whether nothing in it depends on a parent.
    let isOfRoot: Bool
  }

  private let cast: any ModelCast
  private let world: ModelWorld
  private let expected = ModelWorld()

  /// A Boolean value that indicates whether other threads use the first container too.
  private let isShared: Bool

  private var generator: RepeatableGenerator
  private var pairs: [Pair]
  private var snapshots: [Taken] = []
  private var entries: [ModelEntry] = []

  /// The registrations of the entries: the same ones every time.
  private var registrations: [Int: RegistrationList] = [:]
  private var lastName = 0

  /// What has been done.
  private(set) var operations: [String] = []

  init(
    seed: UInt64, in world: ModelWorld, cast: any ModelCast = modelCasts[0], on root: DIContainer = DIContainer(),
    sharedWithOthers isShared: Bool = false
  ) {
    generator = RepeatableGenerator(seed: seed)
    self.cast = cast
    self.world = world
    self.isShared = isShared
    pairs = [Pair(name: 0, container: root, model: ContainerModel(expected))]
  }

  /// Does some steps, and returns the first fault.
  func run(steps: Int) -> String? {
    for _ in 0..<steps {
      if let fault = step() { return fault }
      if let fault = compareLife() { return fault }
    }
    return nil
  }

  /// Lets go of everything but the first container.
  func finish() {
    pairs.removeSubrange(1...)
    snapshots = []
  }

  /// Returns how the number of living instances differs from the expected one.
  func compareLife(exactly: Bool = false) -> String? {
    // Others may hold on to what this thread lets go, while they change or copy the container.
    let (found, expected) = (world.counter.alive, expected.counter.alive)
    guard found < expected || found > expected && (exactly || !isShared) else { return nil }
    return "\(found) instances are alive, expected \(expected)"
  }

  private func chance(_ part: Int, of whole: Int) -> Bool { Int.random(in: 0..<whole, using: &generator) < part }

  private func anyKey() -> ModelKey { ModelKey.allCases.randomElement(using: &generator)! }

  private func anyForm() -> ResolveForm { ResolveForm.allCases.randomElement(using: &generator)! }

  private func newEntry() -> ModelEntry {
    let entry = ModelEntry.random(
      entries.count + 1, withParts: true, lives: [.shared, .shared, .new, .new, .session, .container],
      using: &generator)
    entries.append(entry)
    return entry
  }

  private func add(_ container: DIContainer, _ model: ContainerModel) {
    lastName += 1
    pairs.append(Pair(name: lastName, container: container, model: model))
  }

  private func log(_ operation: String, in pair: Pair) { operations.append("container \(pair.name): \(operation)") }

  private func step() -> String? {
    let pair = pairs.randomElement(using: &generator)!
    let isOthers = isShared && pair.name == 0
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<22: register(in: pair)
    case 22..<26: registerAgain(in: pair)
    case 26..<36: remove(in: pair, isOthers: isOthers)
    case 36..<40: takeSnapshot(of: pair)
    case 40..<44: restoreSnapshot()
    case 44..<48:
      guard pairs.count < 6, pair.model.lineage.count < 4 else { break }
      add(DIContainer(parent: pair.container), ContainerModel(expected, parent: pair.model))
      log("make child \(lastName)", in: pair)
    case 48..<50:
      guard pairs.count < 6 else { break }
      add(pair.container.copyWithOverrides(), pair.model.copy())
      log("make copy \(lastName)", in: pair)
    case 50..<53 where pair.name != 0:
      log("drop", in: pair)
      pairs.removeAll { $0.name == pair.name }
    case 53..<58: return withOverrides(in: pair)
    default: return resolve(anyKey(), in: pair)
    }
    return nil
  }

  // MARK: Registering

  private func registration(of entry: ModelEntry) -> RegistrationList {
    let registration = registrations[entry.number] ?? cast.registration(of: entry, in: world)
    registrations[entry.number] = registration
    return registration
  }

  private func register(in pair: Pair) {
    // Several at once: the last one wins.
    let new = (0..<(chance(3, of: 4) ? 1 : 2)).map { _ in newEntry() }
    log("register \(new)", in: pair)
    pair.container.register { for entry in new { registration(of: entry) } }
    for entry in new { pair.model.register(entry) }
  }

  /// Registers something again, perhaps in another container.
  private func registerAgain(in pair: Pair) {
    guard let entry = entries.suffix(20).randomElement(using: &generator) else { return }
    // What a container has asked for may still be there, if the same registration comes back later, or further up.
    if entry.life == .container, !pair.model.isRegistered(entry) { return }
    log("register again \(entry)", in: pair)
    pair.container.register(registration(of: entry))
    pair.model.register(entry)
  }

  private func remove(in pair: Pair, isOthers: Bool) {
    let key = anyKey()
    switch Int.random(in: 0..<12, using: &generator) {
    case 0 where !isOthers:
      log("reset", in: pair)
      pair.container.reset()
      pair.model.reset()
    case 1 where !isOthers && chance(1, of: 2):
      log("remove all", in: pair)
      pair.container.removeAll()
      pair.model.removeAll()
    case 2:
      // Of what the container has asked an ancestor for, only all instances are dropped at once.
      if let found = pair.model.find(key), found.entry.life == .container, found.owner !== pair.model { return }
      log("reset \(key)", in: pair)
      cast.reset(key, in: pair.container)
      pair.model.reset(key)
    case 3:
      log("end the session", in: pair)
      pair.container.reset(world.session)
      pair.model.resetSession()
    case 4 where !isOthers:
      log("reset its own", in: pair)
      pair.container.reset(.container)
      pair.model.resetOwn()
    default:
      log("unregister \(key)", in: pair)
      cast.unregister(key, from: pair.container)
      pair.model.unregister(key)
    }
  }

  // MARK: Snapshots and copies

  private func takeSnapshot(of pair: Pair) {
    guard snapshots.count < 4 else {
      let index = Int.random(in: 0..<4, using: &generator)
      log("drop snapshot \(snapshots[index].name)", in: pair)
      snapshots.remove(at: index)
      return
    }
    lastName += 1
    log("take snapshot \(lastName)", in: pair)
    snapshots.append(
      Taken(
        name: lastName, origin: pair.name, snapshot: pair.container.registry.snapshot(), content: pair.model.snapshot(),
        isOfRoot: pair.model.parent == nil))
  }

  private func restoreSnapshot() {
    guard let taken = snapshots.randomElement(using: &generator) else { return }
    // A snapshot of a root may be restored in any; what a child has asked its parent for is nothing to others.
    let pair = pairs.first { $0.name == taken.origin && !(isShared && $0.name == 0) }
    if let pair, chance(2, of: 3) {
      log("restore snapshot \(taken.name)", in: pair)
      pair.container.restore(taken.snapshot)
      pair.model.restore(taken.content)
      // What they have asked for before may be registered again.
      for other in pairs where other.name != pair.name && other.model.lineage.contains(where: { $0 === pair.model }) {
        log("reset its own", in: other)
        other.container.reset(.container)
        other.model.resetOwn()
      }
    } else if taken.isOfRoot, pairs.count < 6 {
      add(DIContainer(), ContainerModel(expected))
      log("a new one from snapshot \(taken.name)", in: pairs.last!)
      pairs.last!.container.restore(taken.snapshot)
      pairs.last!.model.restore(taken.content)
    }
  }

  /// Works with a copy for a while, in which everything is created anew and out of which nothing comes.
  private func withOverrides(in pair: Pair) -> String? {
    let overrides = (0..<Int.random(in: 0...2, using: &generator)).map { _ in newEntry() }
    log("with overrides: \(overrides)", in: pair)
    return DIContainer.withCurrent(pair.container) {
      DIContainer.withOverrides {
        for entry in overrides { registration(of: entry) }
      } perform: {
        let model = pair.model.copy(overriding: overrides)
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
          if let fault = stepInside(model, of: pair) ?? compareLife() { return fault }
        }
        return nil
      }
    }
  }

  private func stepInside(_ model: ContainerModel, of pair: Pair) -> String? {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0:
      let entry = newEntry()
      operations.append("  register \(entry)")
      DIContainer.register(registration(of: entry))
      model.register(entry)
      return nil
    case 1:
      let key = anyKey()
      operations.append("  unregister \(key)")
      cast.unregister(key, from: .current)
      model.unregister(key)
      return nil
    case 2:
      let entry = newEntry()
      operations.append("  outside, register \(entry)")
      pair.container.register(registration(of: entry))
      pair.model.register(entry)
      return nil
    case 3:
      let (key, form) = (anyKey(), anyForm())
      operations.append("  outside, resolve \(key), \(form)")
      return compare(key, form, pair.container, pair.model)
    default:
      let (key, form) = (anyKey(), anyForm())
      operations.append("  resolve \(key), \(form)")
      return compare(key, form, nil, model)
    }
  }

  // MARK: Resolving

  private func resolve(_ key: ModelKey, in pair: Pair) -> String? {
    let form = anyForm()
    // More often than references are paid for at once.
    let isOften = chance(1, of: 20)
    log("resolve \(key), \(form)\(isOften ? ", often" : "")", in: pair)
    for _ in 0..<(isOften ? 1_100 : 1) {
      if let fault = compare(key, form, pair.container, pair.model) { return "resolve \(key), \(form): \(fault)" }
    }
    return nil
  }

  /// Resolves on both sides, and returns how they differ.
  private func compare(
    _ key: ModelKey, _ form: ResolveForm, _ container: DIContainer?, _ model: ContainerModel
  ) -> String? {
    if form == .argument, key != .called { return nil }
    let outcome = model.resolve(key, argument: form == .argument ? 7 : nil)
    // What cannot succeed would trap.
    var form = form
    switch outcome {
    case .nothing where form == .plain: form = .optional
    case .wrongArguments where form != .argument, .failure where form != .argument: form = .throwing
    default: break
    }
    do {
      let found = try cast.resolve(key, form, from: container)
      switch (found, outcome) {
      case (nil, .nothing): return nil
      case (let found?, .instance(let instance)): return instance.difference(to: found)
      case (nil, _): return "found nothing, expected \(outcome)"
      case (let found?, _): return "found number \(found.trace.registration), expected \(outcome)"
      }
    } catch {
      switch (error.code, outcome) {
      case (.missingRegistration, .nothing), (.wrongArguments, .wrongArguments), (.factoryFailed, .failure): return nil
      default: return "threw \(error.code), expected \(outcome)"
      }
    }
  }
}

extension ContainerModel.Outcome: CustomStringConvertible {
  var description: String {
    switch self {
    case .nothing: "nothing"
    case .instance(let instance): "number \(instance.entry.number), instance \(instance.serial)"
    case .wrongArguments: "an error: wrong arguments"
    case .failure: "an error: the factory failed"
    }
  }
}
