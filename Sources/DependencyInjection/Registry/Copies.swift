/// The registrations of a container as they were at one moment.
///
/// They cost what changes afterwards, and not what is registered: the container is asked, and notes what it replaces.
package struct Registrations: Sendable {
  fileprivate let container: Registry
  fileprivate let changes: Changes

  /// Returns the registration of a key, without those of ancestors.
  package func definition(of key: Key) -> Definition? {
    // A container holds its lock while it asks the one of which it is a copy, never the other way around.
    container.state.withLock { _ in
      let (former, isComplete) = changes.former(at: key.word)
      if let former { return former }
      if !isComplete, let cell = container.table.find(key.word) { return cell.pointee.record.definition }
      return changes.origin?.definition(of: key)
    }
  }

  /// The registrations by the words of their keys, in the order in which the keys were registered first.
  fileprivate var all: [(key: UInt, definition: Definition)] {
    container.state.withLock { state in state.listed(changes.origin, changes) }
  }
}

/// The changes of a container since its registrations were copied; guarded by the lock of the container.
final class Changes: @unchecked Sendable {
  // Unchecked: guarded by the lock of the container.

  /// The registrations that were replaced, by the words of their keys; nil where there was none.
  private var former: [UInt: Definition?] = [:]
  /// A Boolean value that indicates whether everything that was registered is in here.
  private var isComplete = false
  /// The changes since the next copy was made.
  private var next: Changes?
  /// The registrations of which the container was a copy itself.
  let origin: Registrations?

  init(of origin: Registrations?, after previous: Changes?) {
    self.origin = origin
    previous?.next = self
  }

  /// A Boolean value that indicates whether nothing has changed.
  var isEmpty: Bool { former.isEmpty && !isComplete }

  /// Returns the registration that a key had, if it has changed since, and whether all of them are known.
  func former(at key: UInt) -> (definition: Definition??, isComplete: Bool) {
    var changes: Changes? = self
    while let current = changes {
      if let former = current.former[key] { return (former, current.isComplete) }
      if current.isComplete { return (nil, true) }
      changes = current.next
    }
    return (nil, false)
  }

  /// Notes the registration of a key that is going to change.
  func note(_ definition: Definition?, at key: UInt) {
    if former[key] == nil { former[key] = .some(definition) }
  }

  /// Notes that all registrations are known.
  func complete() { isComplete = true }
}

extension ContainerState {
  /// Returns the registrations of the cells and of what this container is a copy of, in order.
  fileprivate func listed(
    _ origin: Registrations?, _ changes: Changes? = nil
  ) -> [(key: UInt, definition: Definition)] {
    var list = origin?.all ?? []
    var indices: [UInt: Int] = [:]
    for (index, registered) in list.enumerated() { indices[registered.key] = index }
    var removed: Set<Int> = []
    func add(_ key: UInt, _ definition: Definition?) {
      switch (indices[key], definition) {
      case (let index?, let definition?): list[index].definition = definition
      case (let index?, nil): removed.insert(index)
      case (nil, let definition?): list.append((key, definition))
      case (nil, nil): break
      }
    }
    cells.forEach { cell in
      let key = cell.pointee.key
      let (former, isComplete) = changes?.former(at: key) ?? (nil, false)
      if let former {
        add(key, former)
      } else if !isComplete {
        add(key, cell.pointee.record.definition)
      }
    }
    return removed.isEmpty ? list : list.indices.filter { !removed.contains($0) }.map { list[$0] }
  }
}

extension Registrations {
  /// Returns a Boolean value that indicates whether these are the registrations of the same container at the same moment.
  fileprivate func isSame(as other: Registrations) -> Bool {
    container === other.container && changes === other.changes
  }
}

extension Registry {
  /// The registrations as they are now, which later changes do not affect.
  package var registrations: Registrations {
    change { state, released in
      if let changes = state.changes, changes.isEmpty { return Registrations(container: self, changes: changes) }
      let changes = Changes(of: state.origin, after: state.changes)
      released.add(state.changes)
      state.changes = changes
      return Registrations(container: self, changes: changes)
    }
  }

  /// Creates a copy of the registrations of a container and of its ancestors, without instances.
  convenience init(copying original: Registry, withObservers: Bool) {
    // A loop, because any number of containers may be nested.
    var copy: Registry?
    for registry in Array(original.lineage).reversed().dropLast() {
      copy = Registry(copying: registry, below: copy, withObservers: withObservers)
    }
    self.init(copying: original, below: copy, withObservers: withObservers)
  }

  private convenience init(copying original: Registry, below parent: Registry?, withObservers: Bool) {
    var state = ContainerState()
    state.origin = original.registrations
    state.observers = withObservers ? original.ownObservers : []
    let observerCount = state.observers.count
    self.init(parent: parent, origins: [original.number] + original.origins, state)
    if observerCount > 0 { countObservers(observerCount) }
  }

  /// Replaces registrations, so that everything that is resolved from this container finds the new ones.
  ///
  /// In a copy of a child, the new ones are registered where all containers of the copy find them: at the top, and
  /// nothing below hides them.
  func override(_ list: RegistrationList) {
    let copies = copies
    copies.last?.register(list, isOverride: true)
    if copies.count == 1 { return }
    var keys: Set<Key> = []
    var decorators: [Definition] = []
    list.forEach { definition in
      if definition.decoration == nil {
        keys.formUnion(definition.keys.map(\.key))
      } else {
        decorators.append(definition)
      }
    }
    for registry in copies.dropLast() {
      for key in keys { registry.unregister(key) }
      for decorator in decorators { registry.decorateOwn(with: decorator) }
    }
    if isObserved { reportChange(of: keys) }
  }

  /// This container, and the ancestors with which it was copied.
  package var copies: [Registry] {
    var copies = [self]
    while let last = copies.last, !last.origins.isEmpty, let parent = last.parent { copies.append(parent) }
    return copies
  }

  /// The numbers of this container, of its ancestors, and of what they are copies of, the nearest first.
  package var ancestry: [Int] { lineage.flatMap { [$0.number] + $0.origins } }

  /// The registrations of this container and of its ancestors as they are now.
  package var allRegistrations: [Registrations] { lineage.map(\.registrations) }

  /// Returns the registration of a key that this container or the nearest ancestor has.
  package func visibleDefinition(of key: Key) -> Definition? {
    lineage.lazy.compactMap { $0.definition(of: key) }.first
  }

  /// Returns the registrations of a type, with names and without.
  package func visibleDefinitions(of type: Any.Type) -> [(key: Key, definition: Definition)] {
    visible.compactMap { key, definition in
      definition.isOfDependency || Key(type, definition.label).word != key ? nil : (Key(word: key), definition)
    }
  }

  /// The registrations that this container or an ancestor answers with, those of the ancestors first, in order.
  var visible: [(key: UInt, definition: Definition)] {
    var (list, indices): ([(key: UInt, definition: Definition)], [UInt: Int]) = ([], [:])
    for registry in Array(lineage).reversed() {
      for (key, definition) in registry.state.withLock({ $0.listed($0.origin) }) {
        if let index = indices[key] {
          let isInherited = definition.inherited != nil
          list[index].definition = isInherited ? definition.decorating(inherited: list[index].definition) : definition
        } else {
          indices[key] = list.count
          list.append((key, definition))
        }
      }
    }
    return list
  }

  /// The registrations that this container or an ancestor answers with, in order, each with the types under which it is
  /// found and the locations of its decorators.
  var visibleDefinitions: [(definition: Definition, types: [Any.Type], decorators: [CodeLocation])] {
    var found: [(definition: Definition, types: [Any.Type], decorators: [CodeLocation])] = []
    var indices: [ObjectIdentifier: Int] = [:]
    for (key, definition) in visible where !definition.isOpen {
      let root = definition.root
      let index = indices[ObjectIdentifier(root), default: found.count]
      if index == found.count { found.append((root, [], [])) }
      indices[ObjectIdentifier(root)] = index
      if let type = root.keys.first(where: { $0.key.word == key })?.type { found[index].types.append(type) }
      found[index].decorators += definition.decorators
    }
    return found
  }

  /// Returns the location of the registration that a registration has replaced last for a key.
  func replaced(by definition: Definition, at key: Key) -> CodeLocation? {
    for registry in lineage {
      let (present, location) = registry.state.withLock { state in
        (state.cell(of: key, in: registry.table)?.pointee.record.definition, state.replaced[key])
      }
      if let present { return present.root === definition.root ? location : nil }
    }
    return nil
  }

  /// The number of keys for which this container or an ancestor has something registered.
  package var keyCount: Int { visible.count }

  /// Returns the registration of a key in this container, without its ancestors.
  package func definition(of key: Key) -> Definition? {
    state.withLock { state in state.cell(of: key, in: table)?.pointee.record.definition }
  }
}

// MARK: - Snapshots

extension Registry {
  /// The registrations and the instances of a container at one moment.
  package struct Snapshot: Sendable {
    fileprivate var cells: [(key: Key, definition: Definition?, instance: Instance?)] = []
    fileprivate var hidden: [ContainerState.HiddenKey: [(definition: Definition, arguments: HiddenRecord, Instance)]] =
      [:]
    fileprivate var replaced: [Key: CodeLocation] = [:]
    fileprivate var origin: Registrations?

    /// The number of keys for which something is registered, without those that only the original of a copy has.
    package var count: Int { cells.count { $0.definition != nil } }
  }

  package func snapshot() -> Snapshot {
    state.withLock { state in
      var snapshot = Snapshot()
      (snapshot.replaced, snapshot.origin) = (state.replaced, state.origin)
      state.cells.forEach { cell in
        let record = cell.pointee.record
        snapshot.cells.append((Key(word: cell.pointee.key), record.definition, cell.pointee.instance))
      }
      for (key, records) in state.hidden {
        for hidden in records {
          guard case .created(let instance) = hidden.record else { continue }
          snapshot.hidden[key, default: []].append((instance.definition, hidden, instance))
        }
      }
      return snapshot
    }
  }

  /// Restores registrations and instances; the cost is the number of registrations.
  package func restore(_ snapshot: Snapshot) {
    // Not under the lock: this takes those of the containers of which the snapshot's is a copy.
    let inherited = snapshot.origin?.all ?? []
    change { state, released in
      let isSameCopy = snapshot.origin.map { state.origin?.isSame(as: $0) == true } ?? false
      // Readers must not take what the parent has meanwhile.
      state.removeAll(&released, leaving: .registry)
      state.replaced = snapshot.replaced
      if isSameCopy { state.origin = snapshot.origin }
      for (key, definition, instance) in snapshot.cells {
        let cell = state.materializedCell(of: key, in: table)
        restoreCell(cell, definition, state.hasEnded ? nil : instance)
      }
      // What was asked for only since. The same copy asks its original for everything else.
      let known = Set(snapshot.cells.map(\.key.word))
      for (key, definition) in inherited where !known.contains(key) {
        if isSameCopy, table.find(key) == nil { continue }
        restoreCell(state.materializedCell(of: Key(word: key), in: table), definition, nil)
      }
      state.cells.forEach { cell in
        if case .none = cell.pointee.record { _ = cell.pointee.clear(.nothing) }
      }
      for (key, records) in snapshot.hidden {
        state.hidden[key] = records.map { definition, hidden, instance in
          let restored = HiddenRecord(definition, hidden.arguments)
          if !state.hasEnded { restored.record = .created(instance) }
          return restored
        }
      }
    }
  }
}

extension Cell {
  /// The instance of the record, if there is one.
  var instance: Instance? {
    switch record {
    case .none, .creating: return nil
    case .created(let instance): return instance
    case .registered(let definition):
      guard definition.isPublished, reference.isFull else { return nil }
      return Instance(definition, Box(definition.type) { memory in _ = take(into: memory) })
    }
  }
}

/// Makes a registration and its instance those of an empty cell.
///
/// No mutating method of the cell, which would have the whole cell to itself, while readers use it.
private func restoreCell(_ cell: CellPointer, _ definition: Definition?, _ instance: Instance?) {
  guard let definition else {
    cell.pointee.record = .none
    _ = cell.pointee.clear(.nothing)
    return
  }
  cell.pointee.record = .registered(definition)
  _ = cell.pointee.clear(.registry)
  guard let instance else { return }
  if definition.isPublished {
    cell.pointee.publish(definition.type, copying: instance.box.memory)
  } else {
    cell.pointee.record = .created(instance)
  }
}
