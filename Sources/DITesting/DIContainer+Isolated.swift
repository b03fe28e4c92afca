internal import DependencyInjection

extension DIContainer {
  /// A container for one test: registrations without instances, and a recorder.
  static func isolated(
    from origin: DIContainer?, _ overrides: RegistrationList, for framework: TestFramework
  ) -> DIContainer {
    let container = origin?.isolatedCopy() ?? DIContainer()
    container.setObserver(ResolutionRecorder(for: framework))
    container.register(overrides)
    return container
  }
}
