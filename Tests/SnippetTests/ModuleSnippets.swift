import DependencyInjection
import ExampleApp
import ExampleInterfaces
import Foundation
import Testing

// The code of the article on modules is in Tests/Example.

struct ModuleSnippets {
  @Test("what is said of a module that is missing")
  func missing() async throws {
    let container = DIContainer()
    container.register(Module.bookShop)
    container.unregister(Cart.self)
    let error = await #expect(throws: VerificationError.self) {
      try await container.verify(arguments: { $0.type == BookPage.self ? 1 : nil })
    }
    let text = try #require(error).description
    let article = try String(contentsOfFile: documentPath("ModulesAndMultiModuleApps"), encoding: .utf8)
    #expect(article.contains("```text\n\(text)\n```"), "the article should show:\n\(text)")
  }
}
