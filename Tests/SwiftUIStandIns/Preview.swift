// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if !canImport(SwiftUI)
  public struct Preview {
    public struct ViewTraits {}

    /// The previews that were declared, in their order.
    @MainActor public private(set) static var all: [Preview] = []

    /// What the canvas shows.
    public let display: Display

    /// Declares a preview, as the macro of this name does.
    @MainActor
    @discardableResult
    public init<Content: View>(
      traits: PreviewTrait<ViewTraits>..., @ViewBuilder body: @escaping @MainActor () -> Content
    ) {
      // The view is made before a modifier is asked for its body.
      display = Display { PreviewModifierContent(view: body(), modifiers: traits.map(\.modifier)) }
      Self.all.append(self)
    }
  }

  public struct PreviewTrait<T> {
    fileprivate let modifier: any PreviewModifier
  }

  extension PreviewTrait where T == Preview.ViewTraits {
    @MainActor
    public static func modifier(_ modifier: some PreviewModifier) -> PreviewTrait { PreviewTrait(modifier: modifier) }
  }

  @MainActor
  public protocol PreviewModifier {
    associatedtype Body: View
    typealias Content = PreviewModifierContent
    @ViewBuilder func body(content: Content, context: Void) -> Body
  }

  public struct PreviewModifierContent: View, Primitive {
    fileprivate let view: any View
    fileprivate var modifiers: [any PreviewModifier]

    func show(on display: Display, at location: String, _ environment: EnvironmentValues) {
      var inner = self
      guard let modifier = inner.modifiers.popLast() else { return display.show(view, at: location, environment) }
      display.show(modifier.body(content: inner, context: ()), at: location, environment)
    }
  }
#endif
