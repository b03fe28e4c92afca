/// The registrations of a container as they were at one moment, for its copies.
///
/// A container lists them for its first copy, and again for the first copy after a change. The cost of every other copy
/// depends on what it overrides, not on what is registered. In a chain of copies of copies, every 16th generation lists
/// all registrations.
package final class Registrations: Sendable {
  /// The registrations of the container itself, in the order in which the keys were first registered; nil for a key
  /// that was unregistered.
  private let own: [(key: Key, definition: Definition?)]
  private let indices: [UInt: Int]
  /// The registrations that the container was copied from.
  fileprivate let origin: Registrations?
  /// The numbers of the container and of its originals, the nearest first.
  let numbers: [Int]

  init(_ own: [(key: Key, definition: Definition?)], _ origin: Registrations?, of numbers: [Int]) {
    (self.own, self.origin, self.numbers) = (own, origin, numbers)
    indices = Dictionary(uniqueKeysWithValues: own.indices.lazy.map { (own[$0].key.word, $0) })
  }

  /// Returns the registration of a key, ignoring ancestors.
  package func definition(of key: Key) -> Definition? {
    if let index = indices[key.word] { return own[index].definition }
    return origin?.definition(of: key)
  }

  /// The registrations by their keys, in the order in which the keys were first registered; nil for a key that was
  /// unregistered.
  fileprivate var entries: [(key: Key, definition: Definition?)] {
    guard let origin else { return own }
    return origin.entries.map { ($0.key, definition(of: $0.key)) } + own.filter { !origin.contains($0.key) }
  }

  private func contains(_ key: Key) -> Bool { indices[key.word] != nil || origin?.contains(key) == true }

  /// The registrations by their keys, in order.
  var all: [(key: Key, definition: Definition)] {
    entries.compactMap { key, definition in definition.map { (key, $0) } }
  }

  /// The keys without their registrations, for a copy whose registrations were removed.
  var emptied: Registrations { Registrations(entries.map { ($0.key, nil) }, nil, of: numbers) }
}

extension ContainerState {
  /// Returns the registrations as they are now.
  fileprivate func registrations(of registry: Registry) -> Registrations {
    var own: [(key: Key, definition: Definition?)] = []
    registry.table.forEach { own.append((Key(word: $0.pointee.key), $0.pointee.definition)) }
    return Registrations(own, origin, of: [registry.number] + (origin?.numbers ?? []))
  }
}

extension Registry {
  /// The registrations as they are now, unaffected by later changes; listed once until they change.
  package var registrations: Registrations {
    withLock { state in
      if let listed = state.listed { return listed }
      var list = state.registrations(of: self)
      // A long chain of copies must not keep everything that was replaced in any of them.
      if list.numbers.count.isMultiple(of: 16) { list = Registrations(list.entries, nil, of: list.numbers) }
      state.listed = list
      return list
    }
  }

  /// Returns a copy of the registrations of this container and of its ancestors, without instances.
  func copy(withObservers: Bool) -> Registry {
    // A loop, because any number of containers may be nested.
    let parent =
      level == 0 ? nil : Array(lineage)[1...].reversed().reduce(nil) { $1.copy(below: $0, withObservers) }
    return copy(below: parent, withObservers)
  }

  private func copy(below parent: Registry?, _ withObservers: Bool) -> Registry {
    let copy = Registry(parent: parent, copying: registrations)
    if withObservers, Circumstances.areObserved {
      for observer in ownObservers { copy.copiedLineage.last?.addObserver(observer) }
    }
    return copy
  }

  /// Replaces registrations, so that everything that is resolved from this container finds the new ones.
  ///
  /// In a copy of a child, the new ones are registered where all containers of the copy find them: at the top, and
  /// nothing below hides them.
  func override(_ list: RegistrationList) {
    let list = list.withDecoratorsLast
    if copiedParent == nil { return register(list, isOverride: true) }
    let copies = copiedLineage.reversed()
    copies.first?.register(list, isOverride: true)
    // From the top down: when this container reports the change, it answers with the new registrations.
    for registry in copies.dropFirst() {
      list.forEach { definition in
        if definition.isDecoration { return registry.decorateOwn(with: definition) }
        for (key, _) in definition.keys { registry.unregister(key) }
      }
    }
  }

  /// This container, and the ancestors with which it was copied.
  package var copiedLineage: [Registry] {
    var copies = [self]
    while let parent = copies.last?.copiedParent { copies.append(parent) }
    return copies
  }

  /// A Boolean value that indicates whether this container took over no registrations.
  ///
  /// Either it is not a copy, or its original had no registrations, or they were removed.
  package var hasBegunEmpty: Bool { withLock { $0.origin?.all.isEmpty ?? true } }

  /// The numbers of this container, of its ancestors, and of their originals, the nearest first.
  package var ancestry: [Int] {
    lineage.flatMap { registry in [registry.number] + (registry.withLock { $0.origin }?.numbers ?? []) }
  }

  /// The registrations of this container and of its ancestors as they are now.
  package var allRegistrations: [Registrations] { lineage.map(\.registrations) }

  /// Returns the registration of a key in this container, or in the nearest ancestor that has one.
  package func visibleDefinition(of key: Key) -> Definition? {
    for registry in lineage {
      if let definition = registry.definition(of: key) { return definition }
    }
    return nil
  }

  /// Returns the registration of a key in this container, or in the nearest ancestor that has one, without decorators,
  /// and the depth of that container below the root; nil if there are only decorators.
  package func visibleRoot(of key: Key) -> (definition: Definition, level: Int)? {
    // What a decorator in this container wraps is known only when it is resolved. Until then, the ancestor may replace
    // it.
    for registry in lineage {
      if let definition = registry.definition(of: key), definition.inheriting == nil {
        return (definition.root, registry.level)
      }
    }
    return nil
  }

  /// Returns the registrations of a type, with names and without.
  package func visibleDefinitions(of type: Any.Type) -> [(key: Key, definition: Definition)] {
    visible.filter { key, definition in definition.label.declaration == nil && Key(type, definition.label) == key }
  }

  /// The registrations that this container or an ancestor answers with, those of the ancestors first, in order.
  var visible: [(key: Key, definition: Definition)] {
    var (list, indices): ([(key: Key, definition: Definition)], [UInt: Int]) = ([], [:])
    for registry in Array(lineage).reversed() {
      // Not the list for copies, which lacks the declarations that were only requested.
      for (key, definition) in registry.withLock({ $0.registrations(of: registry) }).all {
        // A wrapper that exists stays, whatever an ancestor has now.
        let isAnswer = definition.inheriting == nil || registry.hasInstance(of: key)
        if let index = indices[key.word] {
          list[index].definition =
            isAnswer ? definition : definition.decorating(list[index].definition, isInherited: true)
        } else {
          indices[key.word] = list.count
          // A key that the ancestors no longer have is only decorated.
          list.append((key, isAnswer ? definition : definition.decorator ?? definition))
        }
      }
    }
    return list
  }

  /// The registrations that this container or an ancestor answers with, without decorators.
  package var roots: [Definition] { visible.map(\.definition.root) }

  /// The registrations that this container or an ancestor answers with, in order, each with its description.
  var visibleDefinitions: [(definition: Definition, info: RegistrationInfo)] {
    var found: [(definition: Definition, types: [Any.Type], decorators: [CodeLocation])] = []
    var indices: [ObjectIdentifier: Int] = [:]
    for (key, definition) in visible where !definition.isOpen {
      let root = definition.root
      let index = indices[ObjectIdentifier(root), default: found.count]
      if index == found.count { found.append((root, [], [])) }
      indices[ObjectIdentifier(root)] = index
      if let type = root.keys.first(where: { $0.key == key })?.type { found[index].types.append(type) }
      // The innermost first.
      found[index].decorators += definition.layers.filter(\.isDecoration).map(\.location).reversed()
    }
    return found.map { ($0, RegistrationInfo($0, as: $1, decoratedAt: $2)) }
  }

  /// Returns a Boolean value that indicates whether the container keeps an instance of a key for all requesters, or at
  /// least the one that its decorators wrap.
  private func hasInstance(of key: Key) -> Bool {
    withLock { state in state.cell(of: key, in: table).flatMap { state.existing(in: $0) } } != nil
  }

  /// Returns the registration of a key in this container, without its ancestors.
  package func definition(of key: Key) -> Definition? {
    withLock { state in state.cell(of: key, in: table)?.pointee.definition }
  }
}

// MARK: - Snapshots

extension Registry {
  /// The registrations and the instances of a container, and of the ancestors with which it was copied, at one moment.
  package struct Snapshot: Sendable {
    fileprivate let parts: [PartOfSnapshot]

    /// The number of keys for which something is registered in the container.
    package var count: Int { parts[0].registrations.all.count }
  }

  /// The registrations and the instances of one container at one moment.
  fileprivate struct PartOfSnapshot: Sendable {
    /// The instances by the words of their keys, and the records of all others; first, because properties are released
    /// in order.
    var instances: [UInt: Record.State] = [:]
    var records: [Record.Key: [Record]] = [:]
    let registrations: Registrations
  }

  package func snapshot() -> Snapshot { Snapshot(parts: copiedLineage.map { $0.partOfSnapshot() }) }

  private func partOfSnapshot() -> PartOfSnapshot {
    withLock { state in
      var snapshot = PartOfSnapshot(registrations: state.registrations(of: self))
      table.forEach { cell in
        if cell.pointee.state.isCreated { snapshot.instances[cell.pointee.key] = cell.pointee.state }
      }
      snapshot.records = state.records.mapValues { $0.compactMap(\.copy) }
      return snapshot
    }
  }

  /// Restores registrations and instances; the cost is proportional to the number of registrations.
  package func restore(_ snapshot: Snapshot) {
    // From the root down, as in a reset of several containers.
    var released = Released()
    for (registry, part) in zip(copiedLineage, snapshot.parts).reversed() { registry.restore(part, &released) }
    released.release()
  }

  private func restore(_ snapshot: PartOfSnapshot, _ released: inout Released) {
    withLock { state in
      // Meanwhile, readers must not take the parent's answers.
      state.removeAll(from: table, &released, leaving: .registry)
      if !isComplete, let origin = snapshot.registrations.origin { state.origin = origin }
      for (key, definition) in snapshot.registrations.all {
        let cell = state.materializedCell(of: key, in: table)
        cell.pointee.definition = definition
        cell.pointee.state = state.hasEnded ? .empty : snapshot.instances[key.word] ?? .empty
        cell.pointee.clear(.registry)
      }
      // The parent answers again for keys that the snapshot lacks.
      table.forEach { if $0.pointee.definition == nil { $0.pointee.clear(.nothing) } }
      if !state.hasEnded { state.records = snapshot.records.mapValues { $0.compactMap(\.copy) } }
    }
  }
}

extension Record {
  /// A new record with the same instance; nil if there is no instance.
  fileprivate var copy: Record? {
    if !state.isCreated { return nil }
    let copy = Record(definition, arguments)
    copy.state = state
    return copy
  }
}
