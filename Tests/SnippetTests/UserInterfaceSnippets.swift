import DITesting
import DependencyInjection
import Foundation
import Observation
import Testing

#if canImport(SwiftUI)
  import SwiftUI
#endif
#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

// What stands between the markers stands in the article on SwiftUI and UIKit, word for word.

// MARK: - Models

// snippet: ui-observable
@MainActor @Observable
final class SettingsModel {
  @ObservationIgnored @Inject private var router: Router
  private(set) var isOpen = false

  func open() {
    router.open("/settings")
    isOpen = true
  }
}
// end

// snippet: ui-observable-object
@MainActor
final class SearchModel: ObservableObject {
  @Inject private var search: Search
  @Published var text = ""
}
// end

@MainActor @Observable
final class ItemModel {
  let title: String

  init(id: String, config: AppConfiguration) { title = "Item \(id)" }
}

@MainActor @Observable
final class CartModel {
  var count = 0
}

@MainActor @Observable
final class SelectionModel {
  var id: String?
}

@MainActor @Observable
final class DetailModel {
  @ObservationIgnored @Inject var selection: SelectionModel
  @ObservationIgnored @Inject var cart: CartModel
}

enum UserInterface {
  // snippet: ui-register
  static let module = Module {
    Shared(onMain: CartModel())  // one for all views
    New(onMain: SettingsModel())  // one for each view that asks
    New { @MainActor resolve, id in ItemModel(id: id, config: resolve()) }
  }
  // end
}

// MARK: - Views

// snippet: ui-state
struct SettingsView: View {
  @State private var model = DIContainer.resolve(SettingsModel.self)

  var body: some View {
    Button(model.isOpen ? "Open" : "Closed") { model.open() }
  }
}
// end

// snippet: ui-state-object
struct SearchView: View {
  @StateObject private var model = SearchModel()

  var body: some View { Text(model.text) }
}
// end

// snippet: ui-state-argument
struct ItemView: View {
  @State private var model: ItemModel

  init(id: String) {
    _model = State(initialValue: DIContainer.resolve { id })
  }

  var body: some View { Text(model.title) }
}
// end

// snippet: ui-shared
struct CartButton: View {
  @Inject private var cart: CartModel

  var body: some View {
    Button("Cart (\(cart.count))") { cart.count = 0 }
  }
}
// end

enum AtLaunch {
  // snippet: ui-app
  struct ShopApp: App {
    init() {
      DIContainer.register {
        AppModule.all
        UserInterface.module
      }
    }

    var body: some Scene {
      WindowGroup { RootView() }
    }
  }
  // end

  // snippet: ui-ready
  struct RootView: View {
    @State private var isReady = false

    var body: some View {
      if isReady {
        SettingsView()
      } else {
        ProgressView().task {
          try? await Asynchronous.launch()
          isReady = true
        }
      }
    }
  }
  // end
}

// snippet: ui-preview
extension SettingsView {
  static var preview: some View {
    DIContainer.withOverrides {
      New(MockRouter() as Router)
    } perform: {
      SettingsView()
    }
  }
}
// end

// What stands in the README, on a view for the model of its example.

protocol Greeter {
  func greet(_ name: String) -> String
}

struct FriendlyGreeter: Greeter {
  func greet(_ name: String) -> String { "Hello, \(name)!" }
}

struct TerseGreeter: Greeter {
  func greet(_ name: String) -> String { name }
}

final class WelcomeModel {
  @Inject private var greeter: Greeter
  var title: String { greeter.greet("world") }
}

struct WelcomeView: View {
  @State var model = WelcomeModel()

  var body: some View { Text(model.title) }
}

// swift-format-ignore
// snippet: readme-preview
extension WelcomeView {
  static var preview: some View {
    DIContainer.withOverrides { New(TerseGreeter() as Greeter) } perform: { WelcomeView() }
  }
}
// end

// MARK: - UIKit

// snippet: ui-app-delegate
class AppDelegate: UIResponder, UIApplicationDelegate {
  @LazyInject private var router: Router

  override init() {
    super.init()
    DIContainer.register(AppModule.all)
  }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    router.open("/")
    return true
  }
}
// end

// snippet: ui-view-controllers
final class SettingsViewController: UIViewController {
  @Inject private var model: SettingsModel

  func open() { model.open() }
}

final class ItemViewController: UIViewController {
  private let model: ItemModel

  init(model: ItemModel) {
    self.model = model
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }
}
// end

enum Coordination {
  // snippet: ui-coordinator
  @MainActor protocol Screens: Sendable {
    func settings() -> UIViewController
    func item(_ id: String) -> UIViewController
  }

  final class AppScreens: Screens {
    func settings() -> UIViewController { SettingsViewController(nibName: nil, bundle: nil) }
    func item(_ id: String) -> UIViewController { ItemViewController(model: DIContainer.resolve { id }) }
  }
  // end
}

@Suite("SwiftUI and UIKit")
@MainActor
struct UserInterfaceSnippets {
  typealias Screens = Coordination.Screens
  typealias AppScreens = Coordination.AppScreens

  @Test("a model is created with its dependencies", .isolatedContainer(.empty) { UserInterface.module })
  func models() {
    let router = MockRouter()
    DIContainer.override(Router.self, with: router)
    DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
    let model = DIContainer.resolve(SettingsModel.self)
    model.open()
    #expect(model.isOpen)
    #expect(router.opened == ["/settings"])
    _ = ItemView(id: "1")
    expectResolved(ItemModel.self, times: 1)
    _ = (CartButton(), CartButton())
    #expect(DIContainer.resolutions(of: CartModel.self).map(\.isCreated) == [true, false])
  }

  @Test("a preview", .isolatedContainer { UserInterface.module })
  func preview() {
    _ = SettingsView.preview
    expectResolved(SettingsModel.self, times: 1)
  }

  @Test("the preview of the README", .isolatedContainer { Shared(FriendlyGreeter() as Greeter) })
  func readmePreview() {
    #expect(WelcomeModel().title == "Hello, world!")
    _ = WelcomeView.preview
    expectResolved(Greeter.self, times: 2)
  }

  @Test("what was created under overrides keeps them, even if a lazy property resolves it later")
  func overrides() {
    final class Model {
      @Inject var eager: Router
      @LazyInject var lazy: Router
    }
    let model = DIContainer.withOverrides {
      New(MockRouter() as Router)
    } perform: {
      Model()
    }
    #expect(model.eager is MockRouter)
    #expect(model.lazy is MockRouter)
  }

  @Test("what previews get", .isolatedContainer(.empty))
  func context() {
    // snippet: ui-preview-context
    DIContainer.register {
      AppModule.all
      if LaunchContext.current.isPreview {
        Shared(MockRouter() as Router)
      }
    }
    // end
    #expect(DIContainer.resolve(Router.self) is RouterImpl)
  }

  @Test("an app delegate", .isolatedContainer(.empty))
  func appDelegate() {
    let delegate = AppDelegate()
    #if !canImport(UIKit) || os(watchOS)
      #expect(delegate.application(UIApplication(), didFinishLaunchingWithOptions: nil))
      expectResolved(Router.self, times: 1)
    #endif
    _ = delegate
  }

  @Test("view controllers", .isolatedContainer { AppModule.all })
  func viewControllers() async throws {
    DIContainer.register(UserInterface.module)
    // snippet: ui-register-screens
    DIContainer.register {
      Shared(onMain: AppScreens() as Screens)
    }
    // end
    let screens = DIContainer.resolve(Screens.self)
    _ = screens.settings()
    _ = screens.item("1")
    expectResolved(SettingsModel.self, times: 1)
    expectResolved(ItemModel.self, times: 1)
  }

  @Test("a window of its own", .isolatedContainer { AppModule.all })
  func windows() {
    DIContainer.register(UserInterface.module)
    // snippet: ui-window-register
    DIContainer.register {
      Scoped(in: .container, onMain: SelectionModel())  // one for each window
      New(onMain: DetailModel())  // injects the selection of its window
    }
    // end
    // snippet: ui-window
    let window = DIContainer(parent: .current)
    window.register(Shared(onMain: CartModel()))  // what only this window has

    let model = window.resolve(DetailModel.self)
    // end
    #expect(model.selection === window.resolve(SelectionModel.self))
    #expect(model.cart === window.resolve(CartModel.self))
    let other = DIContainer(parent: .current)
    #expect(other.resolve(DetailModel.self).selection !== model.selection)
    #expect(other.resolve(CartModel.self) === DIContainer.resolve(CartModel.self))
    #expect(model.cart !== DIContainer.resolve(CartModel.self))
  }
}
