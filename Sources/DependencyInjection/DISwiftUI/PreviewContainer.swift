internal import DependencyInjection

/// The registrations that a preview starts from.
public enum PreviewOrigin: Sendable {
  /// The registrations of the app.
  case registrations
  /// No registrations.
  case empty
}

/// The registrations of one preview.
@MainActor
final class PreviewDependencies {
  private let origin: PreviewOrigin
  private let registrations: () -> RegistrationList

  init(_ origin: PreviewOrigin, _ registrations: @escaping () -> RegistrationList) {
    (self.origin, self.registrations) = (origin, registrations)
  }

  fileprivate func override(_ container: DIContainer, _ app: Registry.Snapshot) {
    switch origin {
    case .registrations: container.restore(app)
    case .empty: container.removeAll()
    }
    container.addOverrides(registrations())
    // Afterward, because the closure above or another thread may have resolved something.
    container.dropInstances()
  }
}

/// A container in which previews register, one after the other.
///
/// It is the shared one, because the views of a preview resolve at any time, from the current container.
@MainActor
final class PreviewContainer {
  static let shared = PreviewContainer(.shared)

  private let container: DIContainer
  private let app: Registry.Snapshot
  private var current: PreviewDependencies?

  init(_ container: DIContainer) {
    self.container = container
    // Otherwise, the snapshot would keep the instances.
    container.dropInstances()
    app = container.registry.snapshot()
  }

  /// Gives the container the registrations of a preview, unless it has them already.
  func enter(_ preview: PreviewDependencies) {
    if preview === current { return }
    current = preview
    preview.override(container, app)
  }
}
