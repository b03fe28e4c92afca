internal import DependencyInjection

/// The shared container through its static methods: a bank behind a search for the type, among 100 registrations.
struct ContainerDesign: Design {
  /// What the writer replaces when it does not replace what is read.
  private protocol OtherProbing: Sendable {}

  private struct Other: OtherProbing {
    let probe: Specimen
  }

  private static let theCount = LiveCount()

  let count = theCount

  init() {
    _ = ContainerProvider.installed
    replaceThis()
    replaceOther()
  }

  var registrations: Int? { ContainerProvider.registrationCount + 2 }

  func probe() -> any Poisoned { DIContainer.resolve() }

  func replaceThis() {
    DIContainer.register(Shared(Specimen(in: Self.theCount) as any Poisoned))
    // Created here, so that a replacement is the same as with the other designs.
    _ = DIContainer.resolve((any Poisoned).self)
  }

  func replaceOther() {
    DIContainer.register(Shared(Other(probe: Specimen(in: Self.theCount)) as any OtherProbing))
    _ = DIContainer.resolve((any OtherProbing).self)
  }
}
