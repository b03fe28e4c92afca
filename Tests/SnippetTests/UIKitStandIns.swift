// What the snippets need of UIKit where there is none: enough to compile them and to create what they describe, so that they
// cannot go out of date unnoticed.

import Foundation

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
