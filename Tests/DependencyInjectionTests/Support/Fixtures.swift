internal import DependencyInjection

// The cast of most tests.

protocol Router: AnyObject {
  var config: (any AppConfiguration)? { get }
}

protocol DeeplinkHandler: AnyObject {}

protocol AppConfiguration { var name: String { get } }

protocol MediaPlayer {}

protocol ViewModel { var id: String { get } }

protocol Cache: AnyObject {}

class RouterImpl: Router, DeeplinkHandler {
  let config: (any AppConfiguration)?
  init() { config = nil }
  init(config: any AppConfiguration) { self.config = config }
}

final class MockRouter: Router, DeeplinkHandler {
  let config: (any AppConfiguration)? = nil
  init() {}
}

final class AppConfigurationImpl: AppConfiguration {
  let name: String
  init(_ name: String = "production") { self.name = name }
}

struct ConcreteViewModel: ViewModel { let id: String }

struct SimplePlayer: MediaPlayer {}

final class PlayerObject: MediaPlayer {}

final class DiskCache: Cache {}

final class NoCache: Cache {}

/// A view that can only be created on the main actor.
@MainActor
final class Screen: @MainActor Router {
  let config: (any AppConfiguration)?
  init() { config = nil }
  init(config: any AppConfiguration) { self.config = config }
}

/// A class that a counter follows.
final class Tracked: Sendable {
  let token: LifetimeToken
  init(_ counter: LifetimeCounter) { token = counter.token() }
}

/// Any number of types, made by nesting.
struct Nested<Inner> {}

/// A distinct type for every combination of four of sixteen markers: 65,536 of them.
enum ManyTypes {
  struct M0 {}
  struct M1 {}
  struct M2 {}
  struct M3 {}
  struct M4 {}
  struct M5 {}
  struct M6 {}
  struct M7 {}
  struct M8 {}
  struct M9 {}
  struct Tuple<A, B, C, D> { let number: Int }

  static let markers: [Any.Type] = [
    M0.self, M1.self, M2.self, M3.self, M4.self, M5.self, M6.self, M7.self, M8.self, M9.self,
  ]

  /// Calls a closure with each of the first 10,000 types.
  static func forEach(_ count: Int, _ body: any ManyTypesVisitor) {
    func visit<A, B, C, D>(_: A.Type, _: B.Type, _: C.Type, _: D.Type, _ number: Int) {
      body.visit(Tuple<A, B, C, D>.self, Tuple<A, B, C, D>(number: number), number)
    }
    func first<A>(_ a: A.Type, _ number: Int) {
      func second<B>(_ b: B.Type) {
        func third<C>(_ c: C.Type) {
          func fourth<D>(_ d: D.Type) { visit(a, b, c, d, number) }
          _openExistential(markers[number % 10], do: fourth)
        }
        _openExistential(markers[number / 10 % 10], do: third)
      }
      _openExistential(markers[number / 100 % 10], do: second)
    }
    for number in 0..<min(count, 10_000) {
      func open<A>(_ type: A.Type) { first(type, number) }
      _openExistential(markers[number / 1_000 % 10], do: open)
    }
  }
}

/// Does something with each of many types.
protocol ManyTypesVisitor {
  func visit<T>(_ type: T.Type, _ value: T, _ number: Int)
}
