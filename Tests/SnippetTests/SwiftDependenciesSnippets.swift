import DITesting
import DependencyInjection
import Foundation
import Testing

// What stands between the markers stands in the article on migrating from swift-dependencies, word for word.

// snippet: dependencies-client
struct NumberFact: Sendable {
  var fetch: @Sendable (Int) async throws -> String
}

extension DIContainer {
  static let numberFact = Dependency<NumberFact>(.shared) { NumberFact { "\($0) is a good number." } }
}
// end

// snippet: dependencies-model
final class FactModel {
  @Inject(DIContainer.numberFact) private var numberFact

  func fact(_ number: Int) async throws -> String { try await numberFact.fetch(number) }
}
// end

// snippet: dependencies-endpoint
func changed<Value>(
  _ dependency: Dependency<Value>, _ change: @escaping @Sendable (inout Value) -> Void
) -> Decorated {
  Decorated(dependency) { value, _ in
    var value = value
    change(&value)
    return value
  }
}
// end

// snippet: dependencies-test
@Suite(.isolatedContainer(.unexpected))
struct FactTests {
  @Test(.isolatedContainer { DIContainer.numberFact.overridden { NumberFact { "\($0) is a test." } } })
  func fetches() async throws {
    #expect(try await FactModel().fact(2) == "2 is a test.")
  }
}
// end

@Suite(.isolatedContainer(.empty))
struct SwiftDependenciesSnippets {
  @Test("overrides")
  func overrides() async throws {
    // snippet: dependencies-overrides
    let model = DIContainer.withOverrides {
      DIContainer.numberFact.overridden { NumberFact { _ in "onboarding" } }
    } perform: {
      FactModel()
    }
    // end
    #expect(try await model.fact(1) == "onboarding")
    #expect(try await FactModel().fact(1) == "1 is a good number.")
    DIContainer.register { DIContainer.numberFact.overridden { NumberFact { _ in "prepared" } } }
    #expect(try await FactModel().fact(1) == "prepared")
    #expect(try await DIContainer.numberFact().fetch(1) == "prepared")
    DIContainer.numberFact.reset()
    DIContainer.override { Unexpected(API.self) { MockAPI() } }
  }

  @Test("a decorator of one endpoint")
  func endpoint() async throws {
    let text = try await withIsolatedContainer {
      // snippet: dependencies-endpoint-use
      DIContainer.numberFact.overridden { NumberFact { _ in throw CancellationError() } }
      changed(DIContainer.numberFact) { $0.fetch = { "\($0) is odd." } }
      // end
    } perform: {
      try await FactModel().fact(1)
    }
    #expect(text == "1 is odd.")
  }

  @Test("a mock that exists, and the calls of an endpoint")
  func mocks() async throws {
    let numbers = Calls<Int>()
    let mock = NumberFact {
      numbers($0)
      return "mocked"
    }
    DIContainer.override(DIContainer.numberFact, with: mock)
    #expect(try await FactModel().fact(3) == "mocked")
    #expect(numbers.all == [3])
  }

  @Test("a part of a client, and a value in a function")
  func parts() async throws {
    struct Facts {
      @Inject(DIContainer.numberFact) private var numberFact
      var fetch: (Int) async throws -> String { numberFact.fetch }
    }
    #expect(try await Facts().fetch(1) == "1 is a good number.")
    let numberFact = DIContainer.numberFact()
    #expect(try await numberFact.fetch(2) == "2 is a good number.")
  }

  @Test("a child of a model")
  func children() async throws {
    // snippet: dependencies-child
    final class ParentModel {
      @Inject(DIContainer.numberFact) private var numberFact
      private let makeChild = DIContainer.escaping { FactModel() }  // keeps the current container

      func child() -> FactModel { makeChild() }
    }
    // end
    let parent = DIContainer.withOverrides {
      DIContainer.numberFact.overridden { NumberFact { _ in "inherited" } }
    } perform: {
      ParentModel()
    }
    #expect(try await parent.child().fact(1) == "inherited")
    let later = DIContainer.withOverrides {
      DIContainer.numberFact.overridden { NumberFact { _ in "later" } }
    } perform: {
      parent.child()
    }
    #expect(try await later.fact(1) == "inherited", "it does not merge")
  }
}
