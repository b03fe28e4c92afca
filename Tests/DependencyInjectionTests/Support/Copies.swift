internal import DependencyInjection

extension DIContainer {
  /// Returns a copy of the registrations of this container and its ancestors, without instances.
  ///
  /// - Parameter overrides: What is registered at the top of the copy instead.
  /// - Returns: The copy, which belongs to the caller.
  func copyWithOverrides(
    @RegistrationBuilder _ overrides: () -> RegistrationList = { RegistrationList() }
  ) -> DIContainer {
    DIContainer.withCurrent(self) {
      DIContainer.withOverrides {
        overrides()
      } perform: {
        DIContainer.current
      }
    }
  }
}
