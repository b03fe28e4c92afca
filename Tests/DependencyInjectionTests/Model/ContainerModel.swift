/// The expected behavior of a container, in the plainest way: dictionaries, and only one thread.
///
/// An instance belongs to the container that registers it, or to the one that asks for it. Every change ends at its own
/// container. What a change releases goes when the last reference to it goes, here as there, so that both sides count
/// alike.
final class ContainerModel {
  /// An instance and everything that is expected of it.
  final class Instance {
    let entry: ModelEntry
    let serial: Int
    let argument: Int?
    let parts: [Instance?]
    private let token: LifetimeToken?

    init(_ entry: ModelEntry, _ serial: Int, _ argument: Int?, _ parts: [Instance?], _ token: LifetimeToken?) {
      self.entry = entry
      self.serial = serial
      self.argument = argument
      self.parts = parts
      self.token = token
    }
  }

  /// The expected outcome of a resolution.
  enum Outcome {
    case nothing
    case instance(Instance)
    case wrongArguments
    case failure
  }

  /// The contents of a snapshot.
  struct Content {
    var records: [ModelKey: ModelEntry] = [:]

    /// The instances that the container keeps: of its own registrations, and for each container that asks, of those of
    /// its ancestors.
    var instances: [ObjectIdentifier: Instance] = [:]
  }

  let world: ModelWorld
  let parent: ContainerModel?
  private(set) var content = Content()
  private var isCopy = false

  init(_ world: ModelWorld, parent: ContainerModel? = nil) {
    self.world = world
    self.parent = parent
  }

  /// The container and its ancestors, nearest first.
  var lineage: [ContainerModel] { Array(sequence(first: self, next: \.parent)) }

  // MARK: Changing

  /// Makes an entry the answer to its keys; what is registered already stays as it is.
  func register(_ entry: ModelEntry) {
    for key in entry.allKeys { replace(key, by: entry) }
  }

  func unregister(_ key: ModelKey) { replace(key, by: nil) }

  private func replace(_ key: ModelKey, by entry: ModelEntry?) {
    let former = content.records[key]
    content.records[key] = entry
    if let former, !isRegistered(former) { content.instances[ObjectIdentifier(former)] = nil }
  }

  /// Returns whether any key leads to an entry in this container.
  func isRegistered(_ entry: ModelEntry) -> Bool { content.records.values.contains { $0 === entry } }

  func removeAll() { content = Content() }

  func reset() { content.instances = [:] }

  /// Drops the instance of what this container registers for a key.
  func reset(_ key: ModelKey) {
    if let entry = content.records[key] { content.instances[ObjectIdentifier(entry)] = nil }
  }

  /// Ends the session here and in the ancestors.
  func resetSession() {
    for container in lineage { container.drop { $0 == .session } }
  }

  /// Drops what this container keeps because it has asked for it.
  func resetOwn() { drop { $0 == .container } }

  private func drop(_ isDropped: (ModelEntry.Life) -> Bool) {
    content.instances = content.instances.filter { !isDropped($0.value.entry.life) }
  }

  /// The container, and the ancestors with which it was copied.
  private var copiedLineage: [ContainerModel] { isCopy ? lineage : [self] }

  func snapshot() -> [Content] { copiedLineage.map(\.content) }

  /// Goes back to a snapshot.
  func restore(_ snapshot: [Content]) {
    for (container, content) in zip(copiedLineage, snapshot) { container.content = content }
  }

  /// A copy of the registrations of this container and its ancestors, without instances.
  ///
  /// - Parameter overrides: What is registered at the top of the copy; the levels below lose its keys.
  /// - Returns: The copy of this container.
  func copy(overriding overrides: [ModelEntry] = []) -> ContainerModel {
    let copy = ContainerModel(world, parent: parent?.copy(overriding: overrides))
    copy.isCopy = true
    copy.content.records = content.records
    for entry in overrides {
      if parent == nil { copy.register(entry) } else { for key in entry.allKeys { copy.unregister(key) } }
    }
    return copy
  }

  // MARK: Resolving

  /// The nearest registration of a key.
  func find(_ key: ModelKey) -> (entry: ModelEntry, owner: ContainerModel)? {
    for container in lineage {
      if let entry = container.content.records[key] { return (entry, container) }
    }
    return nil
  }

  /// Returns what a resolution from this container returns.
  func resolve(_ key: ModelKey, argument: Int? = nil) -> Outcome {
    guard let (entry, owner) = find(key) else { return .nothing }
    // It is created for this container, and kept there, if it is kept.
    let home = entry.life.isOfOwner ? owner : self
    if entry.life.isKept, let instance = home.content.instances[ObjectIdentifier(entry)] { return .instance(instance) }
    if (argument != nil) != (entry.kind == .taking) { return .wrongArguments }
    let parts = entry.parts.map { part -> Instance? in
      if case .instance(let instance) = home.resolve(part) { instance } else { nil }
    }
    if entry.kind == .failing { return .failure }
    let token = entry.kind == .small ? nil : world.counter.token()
    let instance = Instance(entry, world.serials.call(), argument, parts, token)
    if entry.life.isKept { home.content.instances[ObjectIdentifier(entry)] = instance }
    return .instance(instance)
  }
}

extension ContainerModel.Instance {
  /// Returns how an instance differs from this, if it does.
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
