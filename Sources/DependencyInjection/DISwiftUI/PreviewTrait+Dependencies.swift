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
    /// The next preview starts from the registrations of the app again, and so does a preview that is shown again. Give
    /// a preview only one trait of this kind.
    ///
    /// - Parameters:
    ///   - origin: The registrations that the preview starts from.
    ///   - registrations: The registrations of the preview, which replace those of the same types.
    /// - Returns: The trait.
    @MainActor
    public static func dependencies(
      _ origin: PreviewOrigin = .registrations,
      @RegistrationBuilder _ registrations: @escaping () -> RegistrationList = { RegistrationList() }
    ) -> PreviewTrait<T> {
      .modifier(DependenciesModifier(preview: PreviewDependencies(origin, registrations)))
    }
  }

  private struct DependenciesModifier: PreviewModifier {
    let preview: PreviewDependencies

    func body(content: Content, context: Void) -> some View {
      // Not when the trait is made: Xcode makes the traits of all previews in a file, and shows one of them.
      PreviewContainer.shared.enter(preview)
      return content
    }
  }
#endif
