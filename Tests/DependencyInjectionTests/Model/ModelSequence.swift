@testable internal import DependencyInjection

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
    let registry: Registry
    let content: ContainerModel.Content

    /// Whether nothing in it depends on a parent.
    let isOfRoot: Bool
  }

  private let cast: any ModelCast
  private let world: ModelWorld
  private let expected = ModelWorld()

  /// Whether other threads use the first container too.
  private let isShared: Bool

  private var generator: RepeatableGenerator
  private var pairs: [Pair]
  private var snapshots: [Taken] = []
  private var entries: [ModelEntry] = []

  /// What registers each entry: the same thing every time.
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

  /// In what the number of living instances differs from the expected.
  func compareLife(exactly: Bool = false) -> String? {
    // Others may hold on to what this thread lets go, while they change or copy the container.
    let (found, expected) = (world.counter.alive, expected.counter.alive)
    guard found < expected || found > expected && (exactly || !isShared) else { return nil }
    return "\(found) instances are alive, expected \(expected)"
  }

  private func chance(_ part: Int, of whole: Int) -> Bool { Int.random(in: 0..<whole, using: &generator) < part }

  private func newEntry() -> ModelEntry {
    let entry = ModelEntry.random(entries.count + 1, withParts: true, using: &generator)
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
    let key = ModelKey.allCases.randomElement(using: &generator)!
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<22: register(newEntry(), in: pair)
    case 22..<26:
      guard let entry = entries.suffix(20).randomElement(using: &generator) else { break }
      register(entry, in: pair)
    case 26..<33:
      log("unregister \(key)", in: pair)
      cast.unregister(key, from: pair.container)
      pair.model.unregister(key)
    case 33..<36 where !isOthers:
      log("reset", in: pair)
      pair.container.reset()
      pair.model.reset()
    case 36..<40:
      guard snapshots.count < 4 else {
        let index = Int.random(in: 0..<4, using: &generator)
        log("drop snapshot \(snapshots[index].name)", in: pair)
        snapshots.remove(at: index)
        break
      }
      lastName += 1
      log("take snapshot \(lastName)", in: pair)
      snapshots.append(
        Taken(
          name: lastName, origin: pair.name, registry: pair.container.registry(), content: pair.model.content,
          isOfRoot: pair.model.parent == nil))
    case 40..<44: restoreSnapshot()
    case 44..<48:
      guard pairs.count < 6, pair.model.level < 3 else { break }
      add(DIContainer(parent: pair.container), ContainerModel(expected, parent: pair.model))
      log("make child \(lastName)", in: pair)
    case 48..<50:
      guard pairs.count < 6 else { break }
      add(pair.container.isolatedCopy(), pair.model.isolatedCopy())
      log("make isolated copy \(lastName)", in: pair)
    case 50..<53 where pair.name != 0:
      log("drop", in: pair)
      pairs.removeAll { $0.name == pair.name }
    case 53..<57: return withOverrides(in: pair)
    default: return resolve(key, in: pair)
    }
    return nil
  }

  private func registration(of entry: ModelEntry) -> RegistrationList {
    let registration = registrations[entry.number] ?? cast.registration(of: entry, in: world)
    registrations[entry.number] = registration
    return registration
  }

  private func register(_ entry: ModelEntry, in pair: Pair) {
    if chance(3, of: 4) {
      log("register \(entry)", in: pair)
      pair.container.register(registration(of: entry))
      pair.model.register(entry)
    } else {
      // Several at once: the last one wins.
      let other = newEntry()
      log("register \(other), \(entry)", in: pair)
      pair.container.register {
        registration(of: other)
        registration(of: entry)
      }
      pair.model.register(other)
      pair.model.register(entry)
    }
  }

  private func restoreSnapshot() {
    guard let taken = snapshots.randomElement(using: &generator) else { return }
    // A snapshot of a root may be restored in any; what a child kept of its parent's is nothing to others.
    let pair = pairs.first { $0.name == taken.origin && !(isShared && $0.name == 0) }
    if let pair, chance(2, of: 3) {
      log("restore snapshot \(taken.name)", in: pair)
      pair.container.setRegistry(taken.registry)
      pair.model.restore(taken.content)
    } else if taken.isOfRoot, pairs.count < 6 {
      add(DIContainer(), ContainerModel(expected))
      log("a new one from snapshot \(taken.name)", in: pairs.last!)
      pairs.last!.container.setRegistry(taken.registry)
      pairs.last!.model.restore(taken.content)
    }
  }

  private func withOverrides(in pair: Pair) -> String? {
    let entry = newEntry()
    log("with overrides: \(entry)", in: pair)
    return DIContainer.withCurrent(pair.container) {
      DIContainer.withOverrides {
        registration(of: entry)
      } perform: {
        let model = ContainerModel(expected, parent: pair.model)
        model.register(entry)
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
          let key = ModelKey.allCases.randomElement(using: &generator)!
          let form = ResolveForm.allCases.randomElement(using: &generator)!
          operations.append("  resolve \(key), \(form)")
          if let fault = compare(key, form, nil, model) ?? compareLife() { return fault }
        }
        return nil
      }
    }
  }

  private func resolve(_ key: ModelKey, in pair: Pair) -> String? {
    let form = ResolveForm.allCases.randomElement(using: &generator)!
    // More often than references are paid for at once.
    let isOften = chance(1, of: 20)
    log("resolve \(key), \(form)\(isOften ? ", often" : "")", in: pair)
    for _ in 0..<(isOften ? 1_100 : 1) {
      if let fault = compare(key, form, pair.container, pair.model) { return "resolve \(key), \(form): \(fault)" }
    }
    return nil
  }

  /// Resolves on both sides, and returns in what they differ.
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
