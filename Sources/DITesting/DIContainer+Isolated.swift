internal import DependencyInjection

extension DIContainer {
  /// A container for one test: registrations without instances, and a recorder.
  static func isolated(from origin: DIContainer?, _ overrides: RegistrationList) -> DIContainer {
    let container = origin?.isolatedCopy() ?? DIContainer()
    container.setObserver(ResolutionRecorder())
    container.register(overrides)
    return container
  }
}
