// What the snippets talk about: the parts of a small app.

import DependencyInjection

protocol AppConfiguration: Sendable {}

struct AppConfigurationImpl: AppConfiguration {}

protocol Router: AnyObject {
  func open(_ path: String)
}

protocol DeeplinkHandler: AnyObject {}

final class RouterImpl: Router, DeeplinkHandler {
  private(set) var opened: [String] = []

  init() {}

  init(config: AppConfiguration) {}

  func open(_ path: String) { opened.append(path) }
}

final class MockRouter: Router {
  private(set) var opened: [String] = []

  func open(_ path: String) { opened.append(path) }
}

protocol MediaPlayer: AnyObject {}

protocol Cache: AnyObject {}

final class DiskCache: Cache {}

protocol Search {}

struct SearchImpl: Search {}

protocol SearchViewModel {}

struct SearchViewModelImpl: SearchViewModel {}

protocol Player {}

struct PlayerImpl: Player {}

protocol ItemViewModel {
  var title: String { get }
}

struct ItemViewModelImpl: ItemViewModel {
  let title: String

  init(id: String, config: AppConfiguration) { title = "Item \(id)" }

  init(id: String, page: Int, title: String, config: AppConfiguration) { self.title = title }
}

@MainActor
final class Screen: Router {
  init() {}

  init(config: AppConfiguration) {}

  nonisolated func open(_ path: String) {}
}

/// Runs a test in a container of its own, so that snippets may use the static API side by side.
func isolated<Result>(_ body: () throws -> Result) rethrows -> Result {
  try DIContainer.withCurrent(DIContainer(), body)
}
