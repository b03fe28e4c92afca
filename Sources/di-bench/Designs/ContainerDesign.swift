internal import DependencyInjection

/// The shared container through its static methods: a bank behind a search for the type, among 100 registrations.
struct ContainerDesign: Design {
  /// What the writer replaces when it does not replace what is read.
  private protocol OtherProbing: Sendable {}

  private struct Other: OtherProbing {
    let probe: Probe
  }

  private static let theCount = LiveCount()

  let count = theCount

  init() {
    _ = ContainerProvider.installed
    replaceThis()
    replaceOther()
  }

  var registrations: Int? { ContainerProvider.registrationCount + 2 }

  func probe() -> any Probing { DIContainer.resolve() }

  func replaceThis() {
    DIContainer.register(Shared(Probe(in: Self.theCount) as any Probing))
    // Created here, so that a replacement is the same as with the other designs.
    _ = DIContainer.resolve((any Probing).self)
  }

  func replaceOther() {
    DIContainer.register(Shared(Other(probe: Probe(in: Self.theCount)) as any OtherProbing))
    _ = DIContainer.resolve((any OtherProbing).self)
  }
}
