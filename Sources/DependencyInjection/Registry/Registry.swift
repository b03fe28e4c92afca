internal import Synchronization

/// The contents of a container: its registrations, its instances, and the table in which readers find them.
///
/// A `DIContainer` is a handle to a registry. Instances and tasks may hold the registry itself: once the handle is
/// gone, it keeps no instances, but still answers requests.
@usableFromInline
package final class Registry: @unchecked Sendable {
  // Unchecked: `mutex` guards `state`, `table` is made for concurrent readers, and `observerCount` is atomic. Nothing else
  // ever changes.

  /// The registry that answers requests for keys that are not registered here.
  ///
  /// Keep it the only property of this type: the compiler then releases a chain of any length in a loop.
  let parent: Registry?
  /// The number of ancestors.
  package let level: Int
  /// A number that no other container of the process has, or ever had.
  package let number = Registry.count.wrappingAdd(1, ordering: .relaxed).newValue
  /// A Boolean value that indicates whether every registration has a cell, so that a key without one is not registered
  /// here.
  ///
  /// A copy adds a cell when its key is first used.
  let isComplete: Bool
  /// A Boolean value that indicates whether the shared container is this one or an ancestor.
  let isSharedOrBelow: Bool
  /// A Boolean value that indicates whether the container is below the shared one because none was current where it or an
  /// ancestor was created.
  ///
  /// It is set before anything else has the registry.
  @safe @exclusivity(unchecked)
  package internal(set) var isBelowDefault: Bool
  let table = Table()
  private let mutex = Lock()
  @safe @exclusivity(unchecked)
  private var state: ContainerState
  /// The number of observers, and of lazy properties with a weak reference, for readers that do not take the lock.
  let observerCount = Atomic(0)

  private static let count = Atomic(0)
  /// A Boolean value that indicates whether more than one registry has ever existed.
  static var haveOthersExisted: Bool { count.load(ordering: .relaxed) > 1 }

  /// The registry of the shared container, which never ends.
  static let shared: Registry = {
    let registry = Registry(parent: nil, isShared: true)
    sharedAddress.store(Unowned(registry).address, ordering: .releasing)
    return registry
  }()

  /// The address of `shared`; 0 until that is created.
  ///
  /// Loading it costs less than loading a constant that is initialized on first use.
  private static let sharedAddress = Atomic<UInt>(0)

  /// The registry of the shared container, which lives as long as the process.
  @inline(__always)
  static var unownedShared: Unowned<Registry> {
    let address = sharedAddress.load(ordering: .acquiring)
    return address == 0 ? Unowned(shared) : Unowned(address: address)
  }

  /// A Boolean value that indicates whether this is the registry of the shared container.
  @inline(__always)
  var isShared: Bool { Unowned(self).address == Self.sharedAddress.load(ordering: .acquiring) }

  init(parent: Registry?, copying origin: Registrations? = nil, isShared: Bool = false) {
    self.parent = parent
    (level, isSharedOrBelow) = if let parent { (parent.level + 1, parent.isSharedOrBelow) } else { (0, isShared) }
    isBelowDefault = if let parent { parent.isBelowDefault } else { false }
    isComplete = origin == nil
    state = ContainerState(origin: origin)
  }

  deinit {
    let observers = observerCount.load(ordering: .relaxed)
    if observers > 0 { countObservers(-observers) }
    // Instances are released before the registrations, because a factory may be the only owner of something that an
    // instance uses in its `deinit`. The table releases its own contents in the same order.
    if state.records.count > 0 {
      table.forEach { $0.pointee.releaseInstance() }
      for record in state.records.values.joined() { record.state = .empty }
    }
  }

  /// The parent, if it was copied together with this one.
  var copiedParent: Registry? { isComplete ? nil : parent }

  /// This registry and its ancestors, the nearest first.
  var lineage: some Sequence<Registry> { sequence(first: self, next: \.parent) }
}

extension Registry {
  /// Runs `body` while no other thread can access the state of the container.
  ///
  /// The lock is not reentrant, so `body` must not call other code: no user code, and nothing that could run a
  /// `deinit`.
  @_transparent
  func withLock<Result>(_ body: (inout ContainerState) throws -> Result) rethrows -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&state)
  }
}

/// Everything that a container's lock guards besides the registrations and states in its cells.
struct ContainerState: ~Copyable {
  /// The records of the instances that a key alone does not identify.
  var records = [Record.Key: [Record]]()
  var observers = [any ResolutionObserver]()
  /// A Boolean value that indicates whether registering a type twice is an error.
  var rejectsDuplicates = false
  /// A Boolean value that indicates whether nothing is kept anymore.
  var hasEnded = false
  /// The registrations that this container was copied from, for keys that have no cell yet.
  ///
  /// After `removeAll`, it contains only the keys, for their order, and the numbers of the containers.
  var origin: Registrations?
  /// The current registrations, listed for copies; nil after a change.
  var listed: Registrations?
}

extension ContainerState {
  /// Returns the cell of a key, adding one if this container was copied with a registration for the key; nil if there
  /// is neither.
  @_transparent
  mutating func cell(of key: Key, in table: borrowing Table) -> CellPointer? {
    if let cell = table.find(key.word) { return cell }
    guard let definition = origin?.definition(of: key) else { return nil }
    return table.add(key.word, definition)
  }

  /// Returns the instance that a container keeps for all requesters, or its creation in progress; nil if there is
  /// neither.
  ///
  /// If the cell has neither, a registration that its decorators wrap may have one.
  ///
  /// Release the result without the lock.
  func existing(in cell: CellPointer) -> Step? {
    guard let definition = cell.pointee.definition, definition.belongsToOwner else { return nil }
    var step = cell.pointee.state.step
    for layer in definition.ownLayers {
      if case .missing? = step { step = records[Record.Key(layer)]?.first?.state.step ?? .missing }
    }
    if case .missing? = step { return nil }
    return step
  }
}

extension Unowned<Registry> {
  /// A Boolean value that indicates whether the caller has the only counted reference to the registry, and no trace or
  /// lazy property is about to get one.
  var isOnlyReference: Bool {
    // A trace that is being stopped gets a reference before it is counted out. An acquiring load, so that the reference
    // is seen if the trace is no longer counted.
    if borrow({ $0.observerCount.load(ordering: .acquiring) > 0 }) { return false }
    var reference = self
    // Sound: the memory holds a reference to an object that exists, and the reference is not changed.
    return unsafe withUnsafeMutablePointer(to: &reference) { reference in
      let reference = unsafe UnsafeMutableRawPointer(reference).assumingMemoryBound(to: Registry.self)
      return unsafe isKnownUniquelyReferenced(&reference.pointee)
    }
  }
}

// MARK: - Finding

extension Registry {
  /// Returns the registration that answers a key, from the nearest container that has one.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - label: The label of the key. If it is a `Dependency` that nothing overrides, the outermost container registers
  ///     its declaration.
  /// - Returns: The registration, and the container that has it; nil if there is none.
  func answer(to key: Key, _ label: Label) -> Answer? {
    // The decorators around the answer of an ancestor. A loop, because any number of containers may be nested.
    var outer: [Answer]?
    // The caller keeps this registry alive, and a registry keeps its parent alive.
    var next: Unowned<Registry>? = Unowned(self)
    while let registry = next {
      if let answer = registry.borrow({ $0.ownAnswer(to: key, label) }) {
        if !answer.definition.isPlain, answer.isAroundInherited {
          outer = outer ?? []
          outer?.append(answer)
        } else {
          if case .none = outer { return answer }
          return answer.decorated(by: outer ?? [], at: key, label) ?? self.answer(to: key, label)
        }
      }
      next = registry.borrow { $0.parent.map { Unowned($0) } }
    }
    return nil
  }

  fileprivate func ownAnswer(to key: Key, _ label: Label) -> Answer? {
    // Without a closure, as in `step` and `finish`: a debug build would retain what it captures.
    var answer: Answer?
    mutex.lock()
    if let cell = state.cell(of: key, in: table) {
      if let definition = cell.pointee.definition {
        var isFirst = false
        if case .empty = cell.pointee.state { isFirst = definition.hasStateInCell }
        answer = Answer(definition: definition, owner: self, isWrapped: false, cell: cell, isFirst: isFirst)
      }
    }
    mutex.unlock()
    guard answer == nil, level == 0, let declared = label.declaration else { return answer }
    withLock { $0.addDeclaration(declared, in: table) }
    return ownAnswer(to: key, label)
  }
}

/// The registration that answers a key, and the container that has it.
struct Answer {
  let definition: Definition
  let owner: Registry
  /// A Boolean value that indicates whether a decorator of the same container wraps it, so that the cell contains the
  /// decorator's registration.
  let isWrapped: Bool
  /// The cell of the key in the owner, guarded by the owner's lock.
  let cell: CellPointer
  /// A Boolean value that indicates whether the state of the instance belongs in the cell, and was empty when the
  /// answer was found.
  let isFirst: Bool
}

extension Answer {
  /// A Boolean value that indicates whether a decorator has to wrap what the ancestors register now.
  ///
  /// It does not if the container already keeps an instance for all requesters.
  fileprivate var isAroundInherited: Bool {
    definition.inheriting != nil && owner.withLock { $0.existing(in: cell) } == nil
  }

  /// Returns the outermost of the answers that decorate this one, after making each wrap what is registered now.
  ///
  /// - Parameters:
  ///   - outer: The answers of the descendants, the outermost first.
  ///   - key: The key.
  ///   - label: The label of the key.
  /// - Returns: The answer; nil if another thread changed one of them in the meantime.
  fileprivate func decorated(by outer: [Answer], at key: Key, _ label: Label) -> Answer? {
    var inner = self
    for answer in outer.reversed() {
      if answer.definition.inheriting?.inner === inner.definition {
        inner = answer
        continue
      }
      let (owner, decorated) = (answer.owner, answer.definition.decorating(inner.definition, isInherited: true))
      var instance: Step?
      owner.change { state, released in
        instance = state.existing(in: answer.cell)
        if instance != nil || answer.cell.pointee.definition !== answer.definition { return }
        state.replace(answer.cell, with: decorated, in: owner.table, &released)
      }
      // Released without the lock.
      withExtendedLifetime(instance) {}
      guard let present = owner.ownAnswer(to: key, label), present.definition === decorated else { return nil }
      inner = present
    }
    return inner
  }

  /// Publishes an instance as the type of the key, or more references to it, unless the answer is out of date.
  func publish(_ view: Box, of instance: Box, in record: Record?) {
    owner.withLock { _ in
      if cell.pointee.definition === definition, (record?.state ?? cell.pointee.state).has(instance) {
        cell.pointee.publish(view)
      }
    }
  }

  /// Publishes the factory, or more references to it, unless the answer is out of date.
  func publishFactory() {
    owner.withLock { _ in if cell.pointee.definition === definition { cell.pointee.publish(definition) } }
  }
}

// MARK: - Steps

extension Registry {
  /// Decides the next step of a request for an instance that is created for this container.
  ///
  /// - Parameters:
  ///   - answer: The registration.
  ///   - arguments: The arguments, if there is one instance for each list.
  ///   - keeper: What keeps the instance.
  ///   - own: The creation that begins if there is no instance; nil if the requester cannot create one, or only looks.
  /// - Returns: The record of the instance, unless its state is in the cell, and the decision; nil if the registration was
  ///   replaced.
  func step(
    _ answer: Answer, _ arguments: [AnyHashable], _ keeper: Keeper, _ own: Creation?
  ) -> (record: Record?, next: Step)? {
    var record: Record?
    if case .graph(let graph) = keeper {
      record = graph.record(of: answer.definition, for: self, arguments)
    } else if answer.isWrapped || !answer.definition.hasStateInCell {
      guard let found = self.record(of: answer, arguments) else { return nil }
      record = found
    }
    mutex.lock()
    let former: Record.State
    if let record {
      former = record.state
    } else if answer.cell.pointee.definition === answer.definition {
      former = answer.cell.pointee.state
    } else {
      former = .obsolete
    }
    let next = former.step
    if case .missing? = next, let own {
      if let record { record.state = .creating(own) } else { answer.cell.pointee.state = .creating(own) }
    }
    mutex.unlock()
    // Released without the lock.
    withExtendedLifetime(former) {}
    guard let next else { return nil }
    return (record, next)
  }

  /// Returns the record of an instance that a key alone does not identify; nil if the registration was replaced.
  private func record(of answer: Answer, _ arguments: [AnyHashable]) -> Record? {
    let (definition, recordKey) = (answer.definition, Record.Key(answer.definition, arguments))
    var isOutdated = false
    let record = Record.find(definition, arguments) { new, count in
      withLock { state in
        let present = state.records[recordKey] ?? []
        guard let new, present.count == count else { return present }
        if answer.owner === self {
          let isUnwrapped = answer.isWrapped && answer.cell.pointee.definition === definition
          isOutdated = isUnwrapped || !state.isRegistered(definition, in: table)
        }
        if !isOutdated, !state.hasEnded { state.records[recordKey] = present + [new] }
        return present + [new]
      }
    }
    return isOutdated ? nil : record
  }

  /// Ends a creation, and keeps the instance unless its registration was replaced or reset meanwhile.
  ///
  /// - Parameters:
  ///   - creation: The creation.
  ///   - answer: The registration.
  ///   - record: The record of the instance, unless its state is in the cell.
  ///   - kept: The state of the instance from now on.
  ///   - outcome: The result for the waiting requesters.
  ///   - view: The instance as the type of the key, if the table may hold it.
  func finish(
    _ creation: Creation, of answer: Answer, _ record: Record?, keeping kept: Record.State,
    _ outcome: @autoclosure () -> Creation.Outcome, publishing view: Box? = nil
  ) {
    mutex.lock()
    let isKeeper = !state.hasEnded
    if record == nil, answer.cell.pointee.state.isCreating(creation) {
      answer.cell.pointee.state = isKeeper ? kept : .empty
      if isKeeper, let view { answer.cell.pointee.publish(view) }
    } else if let record = record ?? state.records[Record.Key(answer.definition)]?.first,
      record.state.isCreating(creation)
    {
      // Without a record, a decorator that was registered in the meantime wraps the instance. A container that has
      // ended has no records: this one is released with the request, or belongs to a graph.
      record.state = kept
      // In this order, because only an instance that the table may hold is known to belong to the owner, whose lock
      // guards the cell.
      if isKeeper, let view, answer.cell.pointee.definition === answer.definition {
        answer.cell.pointee.publish(view)
      }
    }
    mutex.unlock()
    creation.end(outcome())
  }
}
