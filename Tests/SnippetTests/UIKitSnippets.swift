import DITesting
import DependencyInjection
import Foundation
import Testing

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

// What stands between the markers stands in the article on UIKit, word for word.

// snippet: uikit-app-delegate
class AppDelegate: UIResponder, UIApplicationDelegate {
  @LazyInject private var router: Router

  override init() {
    super.init()
    DIContainer.register(Module.app)
  }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    router.open("/")
    return true
  }
}
// end

// snippet: uikit-view-controllers
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
  // snippet: uikit-coordinator
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

@MainActor
struct UIKitSnippets {
  typealias Screens = Coordination.Screens
  typealias AppScreens = Coordination.AppScreens

  @Test("an app delegate", .isolatedContainer(.empty))
  func appDelegate() {
    let delegate = AppDelegate()
    #if !canImport(UIKit) || os(watchOS)
      #expect(delegate.application(UIApplication(), didFinishLaunchingWithOptions: nil))
      expectResolved(Router.self, times: 1)
    #endif
    _ = delegate
  }

  @Test("view controllers, and a window of its own", .isolatedContainer { Module.app })
  func viewControllers() {
    // View controllers.
    withIsolatedContainer {
      DIContainer.register(Module.settings)
      // snippet: uikit-register-screens
      DIContainer.register {
        MainShared(AppScreens() as Screens)
      }
      // end
      let screens = DIContainer.resolve(Screens.self)
      _ = screens.settings()
      _ = screens.item("1")
      expectResolved(SettingsModel.self, times: 1)
      expectResolved(ItemModel.self, times: 1)
    }
    // A window of its own.
    withIsolatedContainer {
      DIContainer.register(Module.settings)
      // snippet: uikit-window-register
      DIContainer.register {
        Scoped(in: .container, onMain: SelectionModel())  // one for each window
        MainNew(DetailModel())  // injects the selection of its window
      }
      // end
      // snippet: uikit-window
      let window = DIContainer(parent: .current)
      window.register(MainShared(CartModel()))  // what only this window has

      let model = window.resolve(DetailModel.self)
      // end
      #expect(model.selection === window.resolve(SelectionModel.self))
      #expect(window.resolve(CartModel.self) === window.resolve(CartModel.self))
      let other = DIContainer(parent: .current)
      #expect(other.resolve(DetailModel.self).selection !== model.selection)
      #expect(other.resolve(CartModel.self) === DIContainer.resolve(CartModel.self))
      #expect(window.resolve(CartModel.self) !== DIContainer.resolve(CartModel.self))
    }
  }

  @Test("the screens of a window", .isolatedContainer { Module.app })
  func screens() {
    final class AppScreens: Screens {
      private let resolve: Resolver
      private(set) var selection: SelectionModel?

      init(_ resolve: Resolver) { self.resolve = resolve }

      func settings() -> UIViewController { SettingsViewController(nibName: nil, bundle: nil) }

      func item(_ id: String) -> UIViewController {
        selection = resolve(DetailModel.self).selection
        return ItemViewController(model: resolve { id })
      }
    }
    DIContainer.register {
      Module.settings
      Scoped(in: .container, onMain: SelectionModel())
      MainNew(DetailModel())
      Scoped(in: .container) { @MainActor resolve in AppScreens(resolve) as Screens }
    }
    for window in [DIContainer(parent: .current), DIContainer(parent: .current)] {
      let screens = window.resolve(Screens.self)
      _ = screens.item("1")
      #expect((screens as? AppScreens)?.selection === window.resolve(SelectionModel.self))
    }
  }
}
