internal import Synchronization

// How answers of the registry get into the table, where the fast path finds them.

extension DIContainer {
  /// Lets the table answer with the factory of a registration.
  func cacheFactory(of found: FoundRegistration, _ request: Request) {
    if mayCache(found, request) { put(CellLayout(factory: found.definition), for: request.key, found.definition, nil) }
  }

  /// Lets the table answer with an instance that is kept.
  ///
  /// - Parameters:
  ///   - view: The instance as the type of the key.
  ///   - instance: The instance.
  ///   - found: Its registration.
  ///   - request: What was asked for.
  func cache(_ view: Box, of instance: Instance, _ found: FoundRegistration, _ request: Request) {
    guard mayCache(found, request) else { return }
    let layout = CellLayout(of: view)
    put(layout, for: request.key, found.definition, instance.box)
    guard let optional = request.optional else { return }
    // An optional reference has the same words; anything else is laid out as the optional it is.
    let isSame = layout.kind == .reference && optional.sizes.optional == optional.sizes.wrapped
    put(
      isSame ? layout : CellLayout(of: optional.wrap(view)), for: request.key, found.definition, instance.box,
      asOptional: Key(optional, request.label))
  }

  /// Returns whether the answer may be put into the table of this container.
  ///
  /// An ancestor's registration may not: the ancestor may change without this container. Neither may a registration of an
  /// optional type: at its key, the table has the answer of the wrapped type.
  private func mayCache(_ found: FoundRegistration, _ request: Request) -> Bool {
    found.owner === self && request.registeredOptional == nil
  }

  /// Puts an answer into the table, if it still is the answer and nobody observes the resolves.
  private func put(
    _ layout: CellLayout, for key: Key, _ definition: Definition, _ box: Box?, asOptional optional: Key? = nil
  ) {
    state.withLock { state in
      guard state.observerCount == 0, state.registry.records[key]?.definition === definition,
        state.registry.instances[ObjectIdentifier(definition)]?.box === box
      else { return }
      if let optional { state.optionalKeys[key] = optional }
      table.pointee.put(layout, for: (optional ?? key).word)
      if isShared, let declaration = definition.label.declaration {
        declaration.cell.store(table.pointee.cell(for: key.word).address, ordering: .releasing)
      }
    }
  }
}
