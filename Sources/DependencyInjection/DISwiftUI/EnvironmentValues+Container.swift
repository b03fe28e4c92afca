#if canImport(SwiftUI)
  public import SwiftUI
#endif
#if canImport(SwiftUI) || SWIFTUI_STAND_INS
  public import DependencyInjection

  extension EnvironmentValues {
    /// The container that the views of a hierarchy resolve from: the current container, unless `container(_:)` sets another.
    public var container: DIContainer {
      get { self[ContainerKey.self] ?? .current }
      set { self[ContainerKey.self] = newValue }
    }
  }

  private struct ContainerKey: EnvironmentKey {
    static var defaultValue: DIContainer? { nil }
  }

  extension View {
    /// Sets the container that the views of this hierarchy resolve from: one for each window, or for each flow.
    ///
    /// ```swift
    /// struct ShopWindow: View {
    ///   @State private var container = DIContainer(parent: .current)
    ///
    ///   var body: some View { DetailView().container(container) }
    /// }
    /// ```
    ///
    /// ``InjectState`` resolves from this container. The properties that a model injects come from the container that
    /// creates the model. `DIContainer.resolve` does not know the environment, and resolves from the current container.
    ///
    /// - Parameter container: The container.
    /// - Returns: The view.
    nonisolated public func container(_ container: DIContainer) -> some View {
      environment(\.container, container)
    }
  }
#endif
