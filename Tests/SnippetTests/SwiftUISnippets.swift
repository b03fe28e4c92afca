import DITesting
import DependencyInjection
import Observation
import Testing

#if canImport(SwiftUI)
  import DISwiftUI
  import SwiftUI
#else
  import SwiftUIStandIns
#endif

// What stands between the markers stands in the articles on SwiftUI and on previews, word for word.

// MARK: - Models

// snippet: swiftui-model
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

// snippet: swiftui-observable-object
@MainActor
final class SearchModel: ObservableObject {
  @Inject private var search: Search
  @Published var text = "Search"
}
// end

@MainActor @Observable
final class ItemModel {
  var name: String

  init(id: String, config: AppConfiguration) { name = "Item \(id)" }
}

@MainActor @Observable
final class CartModel {
  var count = 0
}

@MainActor @Observable
final class SelectionModel {
  var id = "nothing"
}

@MainActor @Observable
final class DetailModel {
  @ObservationIgnored @Inject var selection: SelectionModel
}

// snippet: swiftui-register
extension Module {
  static let settings = Module {
    MainNew(SettingsModel())  // one for each view that asks
    MainNew { resolve, id in ItemModel(id: id, config: resolve()) }
    MainShared(CartModel())  // one for all views
  }
}
// end

extension DIContainer {
  static let cart = Dependency { @MainActor in CartModel() }
}

// MARK: - Views

// snippet: swiftui-view
struct SettingsView: View {
  @InjectState private var model: SettingsModel

  var body: some View {
    Button(model.isOpen ? "Open" : "Closed") { model.open() }
  }
}
// end

// snippet: swiftui-arguments
struct ItemView: View {
  @InjectState private var model: ItemModel

  init(id: String) { _model = InjectState { id } }

  var body: some View { TextField("Name", text: $model.name) }
}
// end

// snippet: swiftui-shared
struct CartButton: View {
  @InjectState private var cart: CartModel

  var body: some View {
    Button("Cart (\(cart.count))") { cart.count += 1 }
  }
}
// end

// snippet: swiftui-state-object
struct SearchView: View {
  @StateObject private var model = SearchModel()

  var body: some View { Text(model.text) }
}
// end

extension DIContainer {
  static let session = Dependency<SearchModel>(.shared) { @MainActor in SearchModel() }
}

struct SessionView: View {
  @StateObject private var session = DIContainer.session()
  @StateObject private var same: SearchModel = DIContainer.resolve()
  @InjectState(DIContainer.service) private var service
  @InjectState(DIContainer.numberFact) private var numberFact

  var body: some View { Text(session.text + same.text + service.name) }
}

struct DetailView: View {
  @InjectState private var model: DetailModel
  @InjectState(named: "other") private var other: CartModel
  @InjectState(DIContainer.cart) private var cart

  var body: some View {
    Button(model.selection.id) { model.selection.id = "first" }
    CartButton()
    Text("\(other.count) in the other cart")
    Button("\(cart.count) in the declared cart") { cart.count += 1 }
  }
}

struct HomeView: View {
  let id: String

  var body: some View {
    SettingsView()
    ItemView(id: id)
  }
}

enum AtLaunch {
  // snippet: swiftui-app
  struct ShopApp: App {
    init() {
      DIContainer.register {
        Module.app
        Module.settings
      }
    }

    var body: some Scene {
      WindowGroup { SettingsView() }
    }
  }
  // end

  // snippet: swiftui-ready
  struct RootView: View {
    @State private var isReady = false
    @State private var problem: String?

    var body: some View {
      if isReady {
        SettingsView()
      } else if let problem {
        Text(problem)
      } else {
        ProgressView().task {
          do {
            _ = try await DIContainer.resolveAsync(Database.self)
            isReady = true
          } catch {
            problem = "\(error)"
          }
        }
      }
    }
  }
  // end
}

enum Windows {
  // snippet: swiftui-window
  struct ShopWindow: View {
    @State private var container = DIContainer(parent: .current)

    var body: some View { DetailView().container(container) }
  }
  // end
}

// snippet: swiftui-test
@Suite(.isolatedContainer { Module.settings })
@MainActor
struct SettingsModelTests {
  @Test func opensTheSettings() {
    let router = MockRouter()
    DIContainer.override(Router.self, with: router)
    let model = DIContainer.resolve(SettingsModel.self)

    model.open()

    #expect(model.isOpen)
    #expect(router.opened == ["/settings"])
  }
}
// end

// snippet: preview-mocks
extension PreviewTrait where T == Preview.ViewTraits {
  @MainActor static var mocks: Self { .dependencies { New(MockRouter() as Router) } }
}
// end

// MARK: - The README's view

protocol Greeter {
  func greet(_ name: String) -> String
}

struct FriendlyGreeter: Greeter {
  func greet(_ name: String) -> String { "Hello, \(name)!" }
}

final class WelcomeModel {
  @Inject private var greeter: Greeter
  var title: String { greeter.greet("world") }
}

#if !canImport(SwiftUI)
  @MainActor
  struct SwiftUISnippets {
    @Test("a view resolves its model once", .isolatedContainer(.empty) { Module.settings })
    func models() {
      let router = MockRouter()
      DIContainer.override(Router.self, with: router)
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      let display = Display { HomeView(id: "1") }
      expectNotResolved(SettingsModel.self)
      #expect(display.texts == ["Closed", "Item 1"])
      display.press("Closed")
      #expect(router.opened == ["/settings"] && display.texts == ["Open", "Item 1"])
      display.enter("Book", in: "Name")
      #expect(display.texts == ["Open", "Book"])
      expectResolved(SettingsModel.self, times: 1)
      expectResolved(ItemModel.self, times: 1)
      #expect(Display { HomeView(id: "2") }.texts == ["Closed", "Item 2"])
    }

    @Test(
      "a shared model is the same in all views, and what the app shows first",
      .isolatedContainer(.empty) { Module.settings })
    func sharedModel() {
      // A shared model is the same in all views.
      withIsolatedContainer {
        let (first, second) = (Display { CartButton() }, Display { CartButton() })
        first.press("Cart (0)")
        #expect(second.texts == ["Cart (1)"])
      }
      // The app shows its first view.
      withIsolatedContainer(.empty) {
        let app = AtLaunch.ShopApp()
        #expect((app.body as? WindowGroup)?.window.texts == ["Closed"])
      }
      // An observable object is created with its view.
      withIsolatedContainer(.empty) {
        Shared(SearchImpl() as Search)
      } perform: {
        let display = Display { SearchView() }
        expectNotResolved(Search.self)
        #expect(display.texts == ["Search"])
        expectResolved(Search.self, times: 1)
      }
    }

    @Test(
      "a view that waits",
      .isolatedContainer(.empty) {
        Module.app
        Module.settings
      })
    func ready() async {
      let failing = Display { AtLaunch.RootView() }
      await failing.runTasks()
      #expect(failing.texts.first?.hasPrefix("No registration for 'Database'.") == true)
      DIContainer.register(
        Shared {
          await Task.yield()
          return Database()
        })
      let display = Display { AtLaunch.RootView() }
      #expect(display.texts == ["…"])
      await display.runTasks()
      #expect(display.texts == ["Closed"])
    }

    @Test("a window of its own", .isolatedContainer(.empty) { Module.settings })
    func windows() {
      // snippet: swiftui-window-register
      DIContainer.register {
        Scoped(in: .container, onMain: SelectionModel())  // one for each window
        MainNew(DetailModel())  // injects the selection of its window
      }
      // end
      DIContainer.register(MainShared(CartModel(), named: "other"))
      let (first, second) = (Display { Windows.ShopWindow() }, Display { Windows.ShopWindow() })
      #expect(first.texts == ["nothing", "Cart (0)", "0 in the other cart", "0 in the declared cart"])
      first.press("nothing")
      first.press("Cart (0)")
      first.press("0 in the declared cart")
      #expect(first.texts == ["first", "Cart (1)", "0 in the other cart", "1 in the declared cart"])
      #expect(second.texts == ["nothing", "Cart (1)", "0 in the other cart", "0 in the declared cart"])
      // What a state object injects from.
      final class SearchModel: ObservableObject { @Inject var selection: SelectionModel }
      struct SearchView: View {
        @StateObject private var model: SearchModel
        @StateObject private var other = SearchModel()

        init(_ container: DIContainer) {
          _model = StateObject(wrappedValue: DIContainer.withCurrent(container) { SearchModel() })
        }

        var body: some View { Text("\(model.selection.id), \(other.selection.id)") }
      }
      let container = DIContainer(parent: .current)
      container.resolve(SelectionModel.self).id = "third"
      #expect(Display { SearchView(container).container(container) }.texts == ["third, nothing"])
    }

    @Test("previews of the README and the article, one after the other", .exitTest)
    func previews() async {
      await #expect(processExitsWith: .success) { @MainActor in
        DIContainer.register {
          Shared { FriendlyGreeter() as Greeter }
          New(WelcomeModel())
          Module.app
          Module.settings
        }
        // snippet: readme-preview
        struct WelcomeView: View {
          @InjectState private var model: WelcomeModel
          var body: some View { Text(model.title) }
        }

        struct PreviewGreeter: Greeter { func greet(_ name: String) -> String { name } }

        Preview(
          traits: .dependencies {
            New(onMain: WelcomeModel())  // the app registers this, too
            New { PreviewGreeter() as Greeter }
          }
        ) { WelcomeView() }  // shows world
        // end
        struct Outer: View {
          var body: some View { WelcomeView() }
        }
        Preview(traits: .dependencies { New(PreviewGreeter() as Greeter) }) { Outer() }
        Preview(traits: .dependencies {}) { Outer() }
        let displays = Preview.all.map(\.display)
        #expect(displays.map(\.texts) == [["world"], ["world"], ["Hello, world!"]])
        #expect(WelcomeModel().title == "Hello, world!")

        let first = Preview.all.count
        // snippet: preview
        Preview(traits: .dependencies { New(MockRouter() as Router) }) { SettingsView() }
        // end
        // Xcode makes the traits of all previews in a file.
        #expect(DIContainer.resolve(Router.self) is RouterImpl)
        #expect(Preview.all[first].display.texts == ["Closed"] && DIContainer.resolve(Router.self) is MockRouter)
        // snippet: preview-empty
        Preview(
          traits: .dependencies(.empty) {
            Module.settings
            New(MockRouter() as Router)
          }
        ) { SettingsView() }
        // end
        #expect(
          Preview.all[first + 1].display.texts == ["Closed"] && DIContainer.resolve(AppConfiguration?.self) == nil)
        let mocked = Preview(traits: .mocks) { SettingsView() }
        #expect(mocked.display.texts == ["Closed"] && DIContainer.resolve(Router.self) is MockRouter)
        let last = Preview(traits: .dependencies {}) { SettingsView() }
        #expect(last.display.texts == ["Closed"] && DIContainer.resolve(Router.self) is RouterImpl)
      }
    }
  }
#endif

struct PreviewSnippets {
  @Test("what all previews get", .isolatedContainer(.empty))
  func context() {
    // snippet: preview-context
    DIContainer.register {
      Module.app
      if LaunchContext.current.isPreview {
        Shared(MockRouter() as Router)
      }
    }
    // end
    #expect(DIContainer.resolve(Router.self) is RouterImpl)
  }
}
