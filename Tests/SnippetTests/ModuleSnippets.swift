import DITesting
import DependencyInjection
import ExampleApp
import ExampleInterfaces
import Foundation
import Testing

// The code of the article on modules is in Tests/Example, except for that of a library.

protocol Renderer: Sendable { func render(_ topic: String) -> String }

struct PlainRenderer: Renderer {
  @Inject private var log: Log
  func render(_ topic: String) -> String {
    log.write(topic)
    return "Report on \(topic)"
  }
}

struct WatermarkRenderer: Renderer {
  let renderer: Renderer
  func render(_ topic: String) -> String { renderer.render(topic) + " (draft)" }
}

struct Silent: Log { func write(_: String) {} }

private final class Notes: Log {
  let lines = Calls<String>()
  func write(_ line: String) { lines(line) }
}

// snippet: library
extension Module {
  static let reports = Module {
    Shared(Silent() as Log)
    Shared(PlainRenderer() as Renderer)
  }
}

/// Makes reports for an app, without the app's container.
public final class ReportEngine: Sendable {
  private let container = DIContainer()

  /// Creates an engine with changes: modules that replace or decorate what it registers.
  public init(@RegistrationBuilder changes: () -> Module = { Module {} }) {
    container.register {
      Module.reports
      changes()
    }
  }

  /// Returns a report.
  public func report(on topic: String) -> String {
    DIContainer.withCurrent(container) { DIContainer.resolve(Renderer.self).render(topic) }
  }
}
// end

// snippet: library-plug-in
extension Module {
  static let watermark = Module {
    Decorated(Renderer.self) { renderer, _ in WatermarkRenderer(renderer: renderer) }
  }
}
// end

@Suite(.isolatedContainer(.empty)) struct LibrarySnippets {
  @Test("what an app passes to a library with a container of its own")
  func host() {
    let notes = Notes()
    DIContainer.register(Shared(notes as Log))
    // snippet: library-host
    let log = DIContainer.resolve(Log.self)  // the app's
    let engine = ReportEngine {
      Shared(log)
      Module.watermark
    }
    // end
    #expect(engine.report(on: "tests") == "Report on tests (draft)")
    #expect(notes.lines.all == ["tests"])
  }

  @Test("what the factory of such an instance would do", .exitTest) func askedInside() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      DIContainer.register(Shared(Silent() as Log))
      _ = ReportEngine { Shared(DIContainer.resolve(Log.self)) }.report(on: "tests")
    }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("'Log' depends on itself."))
  }

  // snippet: library-test
  @Test func leavesTheAppAlone() {
    #expect(ReportEngine().report(on: "tests") == "Report on tests")
    expectNotResolved(Log.self, in: .current)  // only the engine's container was asked
  }
  // end
}

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
