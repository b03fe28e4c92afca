/// What a container is expected to be, in the plainest way: dictionaries, and no thread but one.
///
/// What a change releases goes when the last reference to it goes, here as there, so that both sides count alike.
final class ContainerModel {
  /// An instance and everything that is expected of it.
  final class Instance {
    let entry: ModelEntry
    let serial: Int
    let argument: Int?
    let parts: [Instance?]
    private let token: LifetimeToken?

    /// What was asked for while it was created.
    var needs = Needs()

    init(_ entry: ModelEntry, _ serial: Int, _ argument: Int?, _ parts: [Instance?], _ token: LifetimeToken?) {
      self.entry = entry
      self.serial = serial
      self.argument = argument
      self.parts = parts
      self.token = token
    }
  }

  /// The keys that a creation asked for, and the depth of the deepest container that answered one.
  struct Needs {
    var keys: Set<ModelKey> = []
    var level = 0

    mutating func add(_ key: ModelKey, level: Int) {
      keys.insert(key)
      self.level = max(self.level, level)
    }

    mutating func add(_ other: Needs) {
      keys.formUnion(other.keys)
      level = max(level, other.level)
    }
  }

  /// What is expected of a resolve.
  enum Outcome {
    case nothing
    case instance(Instance)
    case wrongArguments
    case failure
  }

  /// What answers a key.
  struct Record {
    let entry: ModelEntry
    let isImplicit: Bool
  }

  /// What a snapshot holds.
  struct Content {
    var records: [ModelKey: Record] = [:]
    var instances: [ObjectIdentifier: Instance] = [:]
  }

  private struct WeakChild { weak var model: ContainerModel? }

  let world: ModelWorld
  let parent: ContainerModel?
  let level: Int
  var content = Content()
  private var children: [WeakChild] = []

  init(_ world: ModelWorld, parent: ContainerModel? = nil) {
    self.world = world
    self.parent = parent
    level = parent.map { $0.level + 1 } ?? 0
    parent?.children.append(WeakChild(model: self))
  }

  // MARK: Changing

  func register(_ entry: ModelEntry) {
    var changed = Set(entry.keys)
    for key in entry.keys {
      let old = content.records.updateValue(Record(entry: entry, isImplicit: false), forKey: key)
      if let old { changed.formUnion(removeUnlessCurrent(old.entry)) }
    }
    if let key = entry.implicitKey, content.records[key]?.isImplicit ?? true {
      content.records[key] = Record(entry: entry, isImplicit: true)
      changed.insert(key)
    }
    // Also if it has been registered before.
    content.instances[ObjectIdentifier(entry)] = nil
    change(changed, renewed: entry)
  }

  func unregister(_ key: ModelKey) {
    guard let old = content.records.removeValue(forKey: key) else { return }
    change(removeUnlessCurrent(old.entry).union([key]), renewed: nil)
  }

  /// Forgets an entry to which none of its keys leads any more, and returns what else has changed by that.
  private func removeUnlessCurrent(_ entry: ModelEntry) -> Set<ModelKey> {
    var removed: Set<ModelKey> = []
    if let key = entry.implicitKey, content.records[key]?.entry === entry,
      !content.records.values.contains(where: { $0.entry === entry && !$0.isImplicit })
    {
      content.records[key] = nil
      removed = [key]
    }
    if !isCurrent(entry) { content.instances[ObjectIdentifier(entry)] = nil }
    return removed
  }

  func reset() {
    content.instances = [:]
    forEachChild { $0.ancestorWasReset() }
  }

  /// Goes back to a snapshot, except for what this container kept of its ancestors' registrations: they may have changed.
  func restore(_ snapshot: Content) {
    content = snapshot
    content.instances = content.instances.filter { isCurrent($0.value.entry) }
    forEachChild { $0.ancestorWasReset() }
  }

  /// A container of its own with the registrations of this one and its ancestors, and without the instances.
  func isolatedCopy() -> ContainerModel {
    let copy = ContainerModel(world)
    var next: ContainerModel? = self
    while let container = next {
      copy.content.records.merge(container.content.records) { own, _ in own }
      next = container.parent
    }
    return copy
  }

  private func isCurrent(_ entry: ModelEntry) -> Bool { content.records.values.contains { $0.entry === entry } }

  private func forEachChild(_ body: (ContainerModel) -> Void) {
    children.removeAll { $0.model == nil }
    for child in children.compactMap(\.model) { body(child) }
  }

  private func ancestorWasReset() {
    content.instances = content.instances.filter { isCurrent($0.value.entry) }
    forEachChild { $0.ancestorWasReset() }
  }

  /// Forgets the ancestors' instances that were kept here and that would come out otherwise now.
  private func change(_ keys: Set<ModelKey>, renewed: ModelEntry?) {
    content.instances = content.instances.filter { _, instance in
      if isCurrent(instance.entry) { return true }
      if instance.entry === renewed || !instance.needs.keys.isDisjoint(with: keys) { return false }
      return (instance.entry.keys + [instance.entry.implicitKey].compactMap(\.self)).contains {
        find($0)?.entry === instance.entry
      }
    }
    forEachChild { child in
      let visible = keys.filter { child.content.records[$0] == nil }
      child.change(visible, renewed: renewed)
    }
  }

  // MARK: Resolving

  private func find(_ key: ModelKey) -> (entry: ModelEntry, owner: ContainerModel)? {
    if let record = content.records[key] { return (record.entry, self) }
    return parent?.find(key)
  }

  /// What a resolve from this container returns.
  func resolve(_ key: ModelKey, argument: Int? = nil) -> Outcome {
    var needs = Needs()
    return resolve(key, argument, &needs)
  }

  private func resolve(_ key: ModelKey, _ argument: Int?, _ needs: inout Needs) -> Outcome {
    guard let (entry, owner) = find(key) else {
      needs.add(key, level: 0)
      return .nothing
    }
    if entry.isShared, let instance = keptInstance(of: entry, from: owner) {
      needs.add(key, level: owner.level)
      needs.add(instance.needs)
      return .instance(instance)
    }
    if (argument != nil) != (entry.kind == .taking) { return .wrongArguments }
    var own = Needs()
    let parts = entry.parts.map { part -> Instance? in
      if case .instance(let instance) = resolve(part, nil, &own) { instance } else { nil }
    }
    if entry.kind == .failing { return .failure }
    let token = entry.kind == .small ? nil : world.counter.token()
    let instance = Instance(entry, world.serials.call(), argument, parts, token)
    instance.needs = own
    if entry.isShared { keep(instance, owner) }
    needs.add(key, level: owner.level)
    needs.add(own)
    return .instance(instance)
  }

  /// An instance that needs nothing that is registered nearer than where it is kept.
  private func keptInstance(of entry: ModelEntry, from owner: ContainerModel) -> Instance? {
    var shadows: Set<ModelKey> = []
    var next: ContainerModel? = self
    while let container = next {
      if let instance = container.content.instances[ObjectIdentifier(entry)],
        instance.needs.keys.isDisjoint(with: shadows)
      {
        return instance
      }
      if container === owner { return nil }
      shadows.formUnion(container.content.records.keys)
      next = container.parent
    }
    return nil
  }

  /// Keeps an instance in the nearest container that anything it needs came from.
  private func keep(_ instance: Instance, _ owner: ContainerModel) {
    let level = max(instance.needs.level, owner.level)
    var home = self
    while home.level > level, let parent = home.parent { home = parent }
    let identity = ObjectIdentifier(instance.entry)
    // The owner's own instance stays what the owner hands out.
    if home === owner, self !== owner, owner.content.instances[identity] != nil { home = self }
    home.content.instances[identity] = instance
  }
}

extension ContainerModel.Instance {
  /// In what an instance differs from this, if it does.
  func difference(to found: any Traced) -> String? {
    let trace = found.trace
    guard trace.token?.isIntact ?? true else { return "number \(trace.registration) is dead" }
    guard trace.registration == entry.number, trace.serial == serial else {
      return "found number \(trace.registration), instance \(trace.serial); "
        + "expected number \(entry.number), instance \(serial)"
    }
    guard trace.argument == argument else { return "found the argument \(trace.argument ?? 0)" }
    guard trace.parts.count == parts.count else { return "found \(trace.parts.count) parts" }
    for (part, (found, expected)) in zip(trace.parts, parts).enumerated() {
      switch (found, expected) {
      case (nil, nil): continue
      case (let found?, let expected?):
        if let difference = expected.difference(to: found) { return "part \(part): \(difference)" }
      default: return "part \(part) is \(found == nil ? "missing" : "not expected")"
      }
    }
    return nil
  }
}
