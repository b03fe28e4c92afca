internal import DependencyInjection

extension DIContainer {
  /// A container for one test: registrations without instances, and a recorder.
  ///
  /// - Parameters:
  ///   - origin: Whose registrations to start with, if not with none.
  ///   - overrides: What to register on top.
  ///   - recorder: What records the resolves.
  /// - Returns: The container, which nobody else has.
  static func isolated(
    from origin: DIContainer?, _ overrides: RegistrationList, _ recorder: ResolutionRecorder
  ) -> DIContainer {
    let container = origin?.isolatedCopy() ?? DIContainer()
    recorder.start(with: container.registry())
    // What a trait adds to what there is overrides nothing.
    let mayOverride = container.lacksDefaults
    overrides.forEach { definition in
      if mayOverride || definition.keys.contains(where: { container.definition(of: $0.key) != nil }) {
        recorder.note(definition)
      }
    }
    container.addObserver(recorder)
    for observer in origin?.unexpectedResolves ?? [] { container.addObserver(observer.copy(for: container)) }
    container.register(overrides)
    return container
  }
}
