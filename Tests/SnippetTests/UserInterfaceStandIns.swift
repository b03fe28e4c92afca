// What the snippets need of SwiftUI and UIKit where there is neither: enough to compile them and to create what they
// describe, so that they cannot go out of date unnoticed.

import Foundation

#if !canImport(SwiftUI)
  @MainActor
  protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
  }

  extension View {
    func task(_ action: @escaping @MainActor () async -> Void) -> Self { self }
  }

  extension Never: View {
    var body: Never { fatalError("Nothing looks inside.") }
  }

  struct Text: View {
    init(_ text: String) {}
    var body: Never { fatalError("Nothing looks inside.") }
  }

  struct Button: View {
    init(_ title: String, action: @escaping @MainActor () -> Void) {}
    var body: Never { fatalError("Nothing looks inside.") }
  }

  struct ProgressView: View {
    var body: Never { fatalError("Nothing looks inside.") }
  }

  enum Either<First: View, Second: View>: View {
    case first(First)
    case second(Second)

    var body: Never { fatalError("Nothing looks inside.") }
  }

  @resultBuilder
  @MainActor
  enum ViewBuilder {
    static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    static func buildEither<First, Second>(first: First) -> Either<First, Second> { .first(first) }
    static func buildEither<First, Second>(second: Second) -> Either<First, Second> { .second(second) }
  }

  @propertyWrapper
  final class State<Value> {
    var wrappedValue: Value

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    init(initialValue: Value) { wrappedValue = initialValue }
  }

  protocol ObservableObject: AnyObject {}

  @propertyWrapper
  struct Published<Value> {
    var wrappedValue: Value
  }

  @propertyWrapper
  struct StateObject<Object: ObservableObject> {
    private let make: () -> Object

    var wrappedValue: Object { make() }

    init(wrappedValue: @autoclosure @escaping () -> Object) { make = wrappedValue }
  }

  protocol Scene {}

  @MainActor
  protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
  }

  struct WindowGroup<Content: View>: Scene {
    @MainActor
    init(@ViewBuilder content: () -> Content) {}
  }
#endif

#if !canImport(UIKit) || os(watchOS)
  @MainActor
  class UIResponder {
    init() {}
  }

  @MainActor
  class UIViewController: UIResponder {
    init(nibName: String?, bundle: Bundle?) {}
    required init?(coder: NSCoder) {}
  }

  @MainActor
  protocol UIApplicationDelegate: AnyObject {}

  final class UIApplication {
    struct LaunchOptionsKey: Hashable {}
  }
#endif
