// How observers learn of resolves.

extension DIContainer {
  /// Tells the observers of this container and its ancestors of a resolve, and the tripwire that it touches.
  ///
  /// The answer is nil if nothing is registered, or the creation has failed in the container that has the registration.
  /// What has asked for everything registered for a type is shown with the key that stands for all names.
  func report(
    _ request: Request, _ found: FoundRegistration?, isCreated: Bool = false, failedIn owner: DIContainer? = nil,
    ofAll all: Any.Type? = nil
  ) {
    let tripwire = tripwire(of: request.key, above: found?.owner ?? owner)
    let observers = observers
    if tripwire == nil && observers.isEmpty { return }
    let thread = ThreadState.current
    let name = all.map { displayName($0) } ?? request.name
    let event = ResolutionEvent(
      key: all.map { .names(of: $0) } ?? request.key, isOfDependency: request.label.declaration != nil,
      requester: thread.requester,
      definition: found?.definition, type: all ?? request.type, name: request.label.name,
      path: thread.fullPath + [name], location: request.location, isCreated: isCreated,
      duration: request.start.map { ContinuousClock.now - $0.value() } ?? .zero)
    tripwire?(event)
    for observer in observers {
      if found == nil { observer.didNotResolve(event) } else { observer.didResolve(event) }
    }
  }

  /// Ends the process because a resolve cannot succeed.
  @usableFromInline
  func trap(_ error: ResolutionError, _ file: StaticString, _ line: UInt) -> Never {
    let handler = TrapHandling.current
    handler?.leaveThread(with: error)
    for observer in observers { observer.willTrap(error) }
    handler?.endProcess(with: error)
    fatalError(error.description, file: file, line: line)
  }

  /// What a resolve touches on its way to the container that answers it, or to the outermost one.
  private func tripwire(of key: Key, above owner: DIContainer?) -> Tripwire? {
    for container in lineage(below: owner?.parent) {
      let definition = container.state.withLock { $0.registry.hasTripwire(key) ? $0.registry.tripwires[key] : nil }
      if let definition { return definition.tripwire }
    }
    return nil
  }
}
