internal import Synchronization

// These functions put answers of the registry into the table of the container that has the registration. The fast path
// finds them there, whichever descendant received the request.

extension DIContainer {
  /// Makes the factory of a registration the answer of the table.
  func cacheFactory(of found: FoundRegistration, _ request: Request) {
    // The factory would initialize memory for the wrapped type, not for the optional.
    if let optional = request.optional, !optional.hasLayoutOfWrapped { return }
    let layout = CellLayout(factory: found.definition)
    found.owner.put(layout, for: request) { $0.isAnswer(found.definition, to: request.key) }
  }

  /// Makes an instance that the container with the registration keeps the answer of the table.
  ///
  /// - Parameters:
  ///   - view: The instance as the type of the key.
  ///   - instance: The instance.
  ///   - found: Its registration.
  ///   - request: The request.
  func cache(_ view: Box, of instance: Instance, _ found: FoundRegistration, _ request: Request) {
    // Before the layout is made, for the sake of tests, which observe every resolution.
    if found.owner.isObserved { return }
    var layout = CellLayout(of: view)
    if let optional = request.optional, layout.kind != .reference || !optional.hasLayoutOfWrapped {
      layout = CellLayout(of: optional.wrap(view))
    }
    layout.dependencies = KeyFilter(instance.dependencies.keys)
    found.owner.put(layout, for: request) {
      $0.isAnswer(found.definition, to: request.key)
        && $0.instances[ObjectIdentifier(found.definition)]?.box === instance.box
    }
  }

  /// Makes nil the answer of the outermost container's table, because nothing is registered.
  func cacheMissing(_ none: Box, for request: Request) {
    var root = self
    while let parent = root.parent { root = parent }
    root.put(CellLayout(of: none), for: request) { $0.records[request.key] == nil }
  }

  /// Puts an answer into the table, if it still is the answer and nobody observes the resolutions.
  ///
  /// The table never gets the answer of a registration of an optional type. At the key of that type it has the answer
  /// of the wrapped type.
  private func put(_ layout: CellLayout, for request: Request, if isAnswer: (borrowing Registry) -> Bool) {
    if request.registeredOptional != nil { return }
    let (key, optional) = (request.key, request.optional.map { Key($0, request.label) })
    var layout = layout
    layout.dependencies.insert(key)
    state.withLock { state in
      guard state.observerCount == 0, isAnswer(state.registry) else { return }
      if let optional { state.optionalKeys[key] = optional }
      table.pointee.put(layout, for: (optional ?? key).word)
      if isShared, let declaration = request.label.declaration {
        declaration.cell.store(table.pointee.cell(for: key.word).address, ordering: .releasing)
      }
    }
  }
}
