// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import DependencyInjection

protocol Router {
  var path: String { get }
}

struct RouterImpl: Router {
  let path = "/"
}

// snippet: dependency-registering
extension DIContainer: DependencyInjection.DependencyRegistering {
  public static func registerDependencies() {
    register(Shared(RouterImpl() as Router))
  }
}
// end
