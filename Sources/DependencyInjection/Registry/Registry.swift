internal import Synchronization

/// The contents of a container: its registrations, its instances, and the table in which readers find them.
///
/// A `DIContainer` is a handle of it. Instances and tasks hold the registry, which keeps none of them once the handle is
/// gone, but still answers.
@usableFromInline
package final class Registry: @unchecked Sendable {
  // Unchecked: `state` is locked, and `table` is made for concurrent readers. Nothing else ever changes.

  /// The registry that answers what is not registered here.
  ///
  /// Keep it the only property of this type: the compiler then releases a chain of any length in a loop.
  let parent: Registry?
  /// The number of ancestors.
  package let level: Int
  /// A number that no other container of the process has or had.
  package let number = Registry.count.wrappingAdd(1, ordering: .relaxed).newValue
  /// The numbers of the containers of which this one is a copy, the nearest first.
  let origins: [Int]
  /// A Boolean value that indicates whether a key without a cell is not registered here.
  ///
  /// A copy gets its cells when they are asked for.
  let isComplete: Bool
  let table = Table()
  let state: Locked<ContainerState>
  /// The number of observers, for readers that do not take the lock.
  let observerCount = Atomic(0)

  private static let count = Atomic(0)

  /// The registry of the shared container, which never ends.
  static let shared: Registry = {
    let registry = Registry(parent: nil)
    sharedAddress.store(unsafe UInt(bitPattern: Unmanaged.passUnretained(registry).toOpaque()), ordering: .releasing)
    return registry
  }()

  /// The address of `shared`; 0 until that is created.
  ///
  /// Loading it costs less than loading a constant that is created when it is first used.
  private static let sharedAddress = Atomic<UInt>(0)

  /// The registry of the shared container, without a reference to it.
  @inline(__always)
  static var unmanagedShared: Unmanaged<Registry> {
    let address = unsafe UnsafeRawPointer(bitPattern: sharedAddress.load(ordering: .acquiring))
    // Sound: that registry lives as long as the process.
    return unsafe address.map { unsafe Unmanaged.fromOpaque($0) } ?? Unmanaged.passUnretained(shared)
  }

  /// A Boolean value that indicates whether this is the registry of the shared container.
  @inline(__always)
  var isShared: Bool {
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    return address == Self.sharedAddress.load(ordering: .acquiring)
  }

  init(parent: Registry?, origins: [Int] = [], _ state: consuming ContainerState = ContainerState()) {
    self.parent = parent
    self.origins = origins
    level = parent.map { $0.level + 1 } ?? 0
    isComplete = state.origin == nil
    self.state = Locked(state)
  }

  deinit {
    let observers = observerCount.load(ordering: .relaxed)
    if observers > 0 { countObservers(-observers) }
  }

  /// This registry and its ancestors, the nearest first.
  var lineage: some Sequence<Registry> { sequence(first: self, next: \.parent) }

  /// The registry without a parent.
  var root: Registry {
    var root = self
    while let parent = root.parent { root = parent }
    return root
  }
}

/// Everything that a container's lock guards, its records apart, which are in the cells.
struct ContainerState: ~Copyable {
  var cells = Cells()
  /// The records of instances with several keys, and of one of several instances, by a hash of the arguments.
  var hidden: [HiddenKey: [HiddenRecord]] = [:]
  /// The location of the registration that was replaced last, for each key.
  var replaced: [Key: CodeLocation] = [:]
  var observers: [any ResolutionObserver] = []
  /// A Boolean value that indicates whether registering a type twice is an error.
  var rejectsDuplicates = false
  /// A Boolean value that indicates whether nothing is kept any more.
  var hasEnded = false
  /// The registrations of which this container is a copy, for keys without a cell.
  var origin: Registrations?
  /// The changes since a copy of this container was made, if there may be one.
  var changes: Changes?

  init() {}

  struct HiddenKey: Hashable {
    let definition: ObjectIdentifier
    let arguments: Int
  }
}

// MARK: - Finding

extension Registry {
  /// Returns the cell of a key, if anything is registered for it here.
  private func cell(of key: Key) -> CellPointer? {
    state.withLock { state in
      let cell = isComplete ? table.find(key.word) : state.cell(of: key, in: table)
      if let cell, case .none = cell.pointee.record { return nil }
      return cell
    }
  }

  /// Returns the registration that answers a key: that of the nearest container that has one.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - label: The label of the key. If it is a `Dependency` that nothing overrides, the outermost container registers
  ///     its declaration.
  /// - Returns: The registration, and the container that has it; nil if there is none.
  func answer(to key: Key, _ label: Label) -> Answer? {
    var next: Registry? = self
    while let registry = next {
      if let cell = registry.cell(of: key), let answer = registry.answer(at: cell, key, label) { return answer }
      if registry.parent == nil, let declaration = label.declaration, let definition = declaration.definition {
        registry.addDeclaration(definition, key)
        if let cell = registry.cell(of: key), let answer = registry.answer(at: cell, key, label) { return answer }
      }
      next = registry.parent
    }
    return nil
  }

  private func answer(at cell: CellPointer, _ key: Key, _ label: Label) -> Answer? {
    let (record, mayHaveInstance) = state.withLock { _ in (cell.pointee.record, cell.pointee.hasInstance) }
    guard let definition = record.definition else { return nil }
    var hasInstance = mayHaveInstance
    if case .created(let instance) = record, definition.lifetime.kind == .weak {
      hasInstance = instance.weakObject != nil
    }
    guard !hasInstance, let former = definition.inherited else {
      return Answer(definition: definition, owner: self, key: key)
    }
    // What an ancestor registers may have changed since it was decorated here. An instance that is here stays.
    guard let inherited = parent?.answer(to: key, label)?.definition else { return nil }
    if former === inherited { return Answer(definition: definition, owner: self, key: key) }
    let decorated = definition.decorating(inherited: inherited)
    change { state, released in
      guard cell.pointee.record.definition === definition else { return }
      state.replace(cell, with: decorated, in: table, &released)
    }
    return answer(at: cell, key, label)
  }

  /// Returns the place of the record of an instance in this container.
  ///
  /// - Parameters:
  ///   - answer: The registration.
  ///   - arguments: The arguments of the resolution.
  /// - Returns: The place; nil if the registration was replaced meanwhile.
  func place(of answer: Answer, _ arguments: Arguments) -> RecordPlace? {
    let definition = answer.definition
    if definition.hasOneKey, !answer.isDecorated {
      guard let cell = table.find(answer.key.word) else { return nil }
      return .cell(cell)
    }
    let list = definition.argumentList?(arguments) ?? []
    let hash = list.isEmpty ? 0 : list.hashValue
    var isOutdated = false
    let hiddenKey = ContainerState.HiddenKey(definition: ObjectIdentifier(definition), arguments: hash)
    let record = HiddenRecord.find(list, definition) { new, count in
      state.withLock { state in
        let records = state.hidden[hiddenKey] ?? []
        guard let new, records.count == count else { return records }
        isOutdated = answer.owner === self && !state.isRegistered(definition, in: table)
        if !isOutdated { state.hidden[hiddenKey] = records + [new] }
        return records + [new]
      }
    }
    return isOutdated ? nil : .hidden(record)
  }
}

extension HiddenRecord {
  /// Returns the record for a list of arguments, which is added if there is none.
  ///
  /// The arguments compare themselves, so no lock is held meanwhile.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - definition: The registration.
  ///   - records: Adds a record, if there are as many as given, and returns all that there are.
  /// - Returns: The record.
  static func find(
    _ arguments: [AnyHashable], _ definition: Definition, in records: (HiddenRecord?, Int) -> [HiddenRecord]
  ) -> HiddenRecord {
    var present = records(nil, 0)
    while true {
      if let found = present.first(where: { $0.arguments == arguments }) { return found }
      present = records(HiddenRecord(definition, arguments), present.count)
    }
  }
}

/// The registration that answers a key, and the container that has it.
struct Answer {
  let definition: Definition
  let owner: Registry
  let key: Key
  /// A Boolean value that indicates whether a decorator has asked, whose own registration has the cell of the key.
  var isDecorated = false
}

extension Definition {
  /// A Boolean value that indicates whether the record of the instance is in the cell of the only key.
  fileprivate var hasOneKey: Bool { aliases.isEmpty && argumentList == nil && !lifetime.isPerContainer }

  /// A Boolean value that indicates whether the instance is published in the cell of the only key.
  ///
  /// No table has an instance of an optional type that is registered by that type: its key is that of a request for the
  /// wrapped type.
  var isPublished: Bool {
    hasOneKey && lifetime.isKept && (MetadataKind(of: type) != .optional || isOfDependency)
  }
}

// MARK: - Steps

extension Registry {
  /// Decides about a request for an instance that this container keeps.
  func step(
    _ definition: Definition, at place: RecordPlace, into memory: InstanceMemory?, _ makeCreation: () -> Creation?
  ) -> Step {
    var former = Record.none
    let step = state.withLock { _ in place.step(definition, into: memory, &former, makeCreation) }
    withExtendedLifetime(former) {}
    return step
  }

  /// Ends a creation, and keeps the instance unless its registration was replaced or reset meanwhile.
  ///
  /// - Parameters:
  ///   - creation: The creation.
  ///   - place: The place of the record.
  ///   - value: What was created; nil if nothing was, or if it is not kept.
  ///   - failure: The reason why nothing was created.
  ///   - unstored: An instance that is not kept.
  func finish(
    _ creation: Creation, at place: RecordPlace, _ value: CreatedValue?, _ failure: (any Error)?, unstored: Instance?
  ) {
    let isStored = state.withLock { state in place.store(value, of: creation, isKept: !state.hasEnded) }
    var unstored = unstored
    if !isStored, let value, let definition = creation.definition {
      switch value {
      case .instance(let instance): unstored = instance.revived
      case .memory(let memory): unstored = Instance(definition, Box(copying: memory, as: definition.type))
      }
    }
    creation.end(failure, instance: unstored)
  }

  /// Publishes the view of an instance in the cell of an alias, if it still is the answer, or more references to it.
  func publish(_ view: Box, of instance: Instance, at key: Key, _ place: RecordPlace) {
    if MetadataKind(of: view.type) == .optional, !instance.definition.isOfDependency { return }
    state.withLock { state in
      guard !state.hasEnded, case .created(let current) = place.record, current === instance,
        let cell = table.find(key.word), cell.pointee.record.definition === instance.definition
      else { return }
      if cell.pointee.reference.isFull {
        cell.pointee.reference.replenish()
      } else {
        cell.pointee.publish(view.type, copying: view.memory)
      }
    }
  }

  /// Publishes a factory, if it still is the answer, or more references to it.
  func publish(_ factory: Definition, at key: Key) {
    state.withLock { _ in
      guard let cell = table.find(key.word), cell.pointee.record.definition === factory else { return }
      if cell.pointee.reference.isFull {
        cell.pointee.reference.replenish()
      } else {
        cell.pointee.publish(factory)
      }
    }
  }

  /// Lets requests for an optional type find the answer to the key of what it wraps.
  func redirect(_ optional: Key, to key: Key) {
    if let cell = table.find(optional.word), cell.pointee.loadKind() == .optional { return }
    state.withLock { state in state.materializedCell(of: optional, in: table).pointee.redirect(to: key.word) }
  }
}
