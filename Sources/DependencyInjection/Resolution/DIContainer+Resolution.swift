// The steps of a resolution from the registry: find the registration, obtain the instance, convert it to the requested
// type, cache it, and record the resolution.

/// A registration that answers a key, and the container that has it.
struct FoundRegistration {
  let record: Registry.Record
  let owner: DIContainer

  var definition: Definition { record.definition }
}

/// An instance, and whether it was created for the requester.
typealias ObtainedInstance = (instance: Instance, isCreated: Bool)

extension DIContainer {
  /// Resolves a request from the registry.
  func resolve<Value>(_ request: Request) throws(ResolutionError) -> Value {
    try result(instance(for: request), of: request).value()
  }

  /// Returns the result of a request: the instance as the requested type, or nil if the type is optional and nothing is
  /// registered.
  func result(_ found: Box?, of request: Request) throws(ResolutionError) -> Box {
    let optional = request.optional
    if let found { return optional?.wrap(found) ?? found }
    guard let optional else { throw request.missingRegistration(nearMisses(of: request.type, request.label.name)) }
    let none = optional.none
    cacheMissing(none, for: request)
    return none
  }

  /// Returns the instance for a request as the type of its key, created if need be, or nil if nothing is registered.
  func instance(for request: Request) throws(ResolutionError) -> Box? {
    while let found = findRegistration(for: request) {
      do throws(ResolutionError) {
        // If the registration has been replaced while this thread waited for the instance, search again.
        guard let obtained = try obtainInstance(of: found, request) else { continue }
        return try deliver(obtained, of: found, request)
      } catch {
        // A factory may continue without the instance.
        recordDependency(on: request.key, level: found.owner.level)
        if ResolutionObservation.isOn, isFinal(error) { report(request, found, .failed) }
        throw error
      }
    }
    recordResolution(of: request)
    return nil
  }

  /// Returns the registration that answers a key, in the nearest container of the chain that has one.
  func findRegistration(for request: Request) -> FoundRegistration? {
    let key = request.key
    var next: DIContainer? = self
    var decorating: [DIContainer] = []
    while let container = next {
      var (record, isDecorated, hasAllDefaults) = container.record(of: key)
      if !hasAllDefaults, container.registerDefaults() { (record, isDecorated, _) = container.record(of: key) }
      if isDecorated { decorating.append(container) }
      if let record {
        let found = FoundRegistration(record: record, owner: container)
        if decorating.isEmpty { return found }
        if let decorated = decorate(found, in: decorating, for: request) { return decorated }
        return findRegistration(for: request)
      }
      next = container.parent
      if next == nil, let declaration = request.label.declaration {
        // Nothing overrides the dependency, so the root container registers its declaration.
        container.addDefault(declaration)
        next = container
      }
    }
    return nil
  }

  private func record(of key: Key) -> (record: Registry.Record?, isDecorated: Bool, hasAllDefaults: Bool) {
    state.withLock { state in
      (state.registry.records[key], state.registry.decorations[key] != nil, state.registry.hasAllDefaults)
    }
  }

  /// Returns the instance of a registration according to its lifetime; nil if the registration is out of date.
  private func obtainInstance(of found: FoundRegistration, _ request: Request) throws(ResolutionError)
    -> ObtainedInstance?
  {
    let definition = found.definition
    switch definition.kind {
    case .new:
      // Before the factory runs: if readers have found no reference left, this refills the references.
      if found.record.alias < 0, !definition.isAsync { cacheFactory(of: found, request) }
      let box = try create(definition, request)
      return (Instance(definition: definition, box: box, dependencies: Dependencies(owner: nil)), true)
    case .perGraph:
      // Without a factory around it, the instance is a graph of its own.
      let (key, graph) = (graphKey(definition), Graph.current)
      if let instance = graph?.instance(key) { return (instance, false) }
      let instance = try createRecording(definition, request)
      return (graph?.keep(instance, key) ?? instance, true)
    case .shared, .weak, .scoped: return try keptInstance(of: definition, from: found.owner, request)
    }
  }

  /// Returns the key of a registration's instance in a graph that is resolved from this container.
  func graphKey(_ definition: Definition) -> Graph.Key {
    Graph.Key(definition: ObjectIdentifier(definition), container: ObjectIdentifier(self))
  }

  /// Converts an instance to the requested type, caches it, and records the resolution.
  func deliver(
    _ obtained: ObtainedInstance, of found: FoundRegistration, _ request: Request
  ) throws(ResolutionError) -> Box {
    let (instance, alias) = (obtained.instance, found.record.alias)
    guard let view = alias < 0 ? instance.box : instance.views[Int(alias)] else {
      throw request.aliasMismatch(instance.box, found.definition)
    }
    if found.definition.lifetime.isKept { cache(view, of: instance, found, request) }
    recordResolution(of: request, found, obtained)
    return view
  }

  /// Returns a Boolean value that indicates whether a failure is final: after a wrong actor, an asynchronous resolution
  /// tries again on the right one.
  private func isFinal(_ error: ResolutionError) -> Bool {
    error.code != .wrongActor || !ThreadState.current.mayHop
  }
}
