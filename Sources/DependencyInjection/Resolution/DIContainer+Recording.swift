// The recording of resolutions: as dependencies of the instance that is being created, and for observers.

extension DIContainer {
  /// Records a resolution that has found an instance, or nothing.
  func recordResolution(
    of request: Request, _ found: FoundRegistration? = nil, _ obtained: ObtainedInstance? = nil
  ) {
    if request.decorator != nil {
      // The decorated instance takes the place of this one, and does not depend on its own key.
      recordDependency(on: nil, level: 0, obtained?.instance.dependencies)
      return
    }
    recordDependency(on: request.key, level: found?.owner.level ?? 0, obtained?.instance.dependencies)
    if ResolutionObservation.isOn {
      report(request, found, obtained.map { $0.isCreated ? .created : .reused } ?? .failed)
    }
  }

  /// Records a dependency of the instance that the calling thread or task creates.
  ///
  /// Only a resolution from the container that creates the instance counts. What a factory resolves from another
  /// container, or from an ancestor, is the same for every container that creates the instance.
  func recordDependency(on key: Key?, level: Int, _ others: Dependencies? = nil) {
    guard let recorder = DependencyRecorder.current, recorder.owner.isCreated(by: self) else { return }
    recorder.record(key, level: level, others)
  }

  /// Records that the instance that the calling thread creates in this container will resolve a type later.
  ///
  /// - Returns: The owner of the instance, from which to resolve; nil if no container is going to keep the instance.
  func recordLazyDependency(on type: Any.Type, _ label: Label) -> OwningContainer? {
    guard let owner = DependencyRecorder.current?.owner, owner.isCreated(by: self) else { return nil }
    let key = Key(asOptional(type)?.wrappedType ?? type, label)
    recordDependency(on: key, level: level(of: key))
    return owner
  }

  /// Returns the depth below the root of the container that would answer a key, or 0 if none would.
  private func level(of key: Key) -> Int {
    let answering = lineage().first { container in
      container.state.withLock { $0.registry.records[key] != nil || $0.registry.decorations[key] != nil }
    }
    return answering?.level ?? 0
  }
}
