#if canImport(SwiftUI)
  public import SwiftUI
#endif
#if canImport(SwiftUI) || SWIFTUI_STAND_INS
  public import DependencyInjection

  extension PreviewTrait where T == Preview.ViewTraits {
    /// Overrides registrations for everything in a preview, however late it is created.
    ///
    /// ```swift
    /// #Preview(traits: .dependencies { New(MockRouter() as Router) }) { SettingsView() }
    /// ```
    ///
    /// The next preview starts from the registrations of the app again, and so does one that is shown again.
    ///
    /// - Parameters:
    ///   - origin: The registrations that the preview starts from.
    ///   - registrations: The registrations of the preview, which replace those of the same types.
    /// - Returns: The trait.
    @MainActor
    public static func dependencies(
      _ origin: PreviewOrigin = .registrations, @RegistrationBuilder _ registrations: @escaping () -> RegistrationList
    ) -> PreviewTrait<T> {
      let preview = PreviewDependencies(origin, registrations)
      // Now, because the view of the preview is created before the modifier is asked for its body.
      PreviewContainer.shared.enter(preview)
      return .modifier(DependenciesModifier(preview: preview))
    }
  }

  private struct DependenciesModifier: PreviewModifier {
    let preview: PreviewDependencies

    func body(content: Content, context: Void) -> some View {
      // Another preview may have been created meanwhile.
      PreviewContainer.shared.enter(preview)
      return content
    }
  }
#endif
