import DITesting
import DependencyInjection
import Foundation
import Synchronization
import Testing

// What stands between the markers stands in the article on checking registrations, word for word.

// snippet: check-test
@Suite(.isolatedContainer(.empty) { Module.app })
struct RegistrationTests {
  @Test func everythingResolves() async {
    await verifyRegistrations()
  }
}
// end

// snippet: check-timeline
final class ResolveTimeline: Sendable {
  struct Interval {
    let name: String
    let start: ContinuousClock.Instant
    let end: ContinuousClock.Instant
  }

  private let recorded = Mutex<[Interval]>([])

  var intervals: [Interval] { recorded.withLock { $0 } }

  func add(_ event: ResolutionEvent) {
    let end = ContinuousClock.now
    let name = event.path.joined(separator: " → ")
    recorded.withLock { $0.append(Interval(name: name, start: end - event.duration, end: end)) }
  }
}
// end

struct InspectionSnippets {
  @Test("verifying, and tracing")
  func verifying() async throws {
    // Verifying.
    do {
      let container = DIContainer()
      container.register(Module.app)
      // snippet: check-verify
      try await container.verify()
      // end
      final class Uploader: Sendable {
        init() { Issue.record("It was left out.") }
      }
      container.register {
        New(Uploader())
        New { resolve, id in ItemViewModelImpl(id: id, config: resolve()) as ItemViewModel }
      }
      // snippet: check-arguments
      try await container.verify(
        except: { $0.type == Uploader.self },  // its factory talks to a server
        arguments: { $0.type == ItemViewModel.self ? "42" : nil })
      // end
    }
    // Tracing.
    do {
      let container = DIContainer()
      container.register(Module.app)
      // snippet: check-trace
      let trace = container.trace { event in
        if event.isCreated, event.duration > .milliseconds(5) { print("slow: \(event)") }
      }
      _ = container.resolve(Router.self)
      trace.stop()
      // end
      // snippet: check-record
      let timeline = ResolveTimeline()
      let recording = container.trace { event in timeline.add(event) }
      // end
      _ = container.resolve(HomeViewModel.self)
      recording.stop()
      let names = timeline.intervals.map(\.name)
      #expect(names == ["HomeViewModel → Router", "HomeViewModel"])
      #expect(timeline.intervals.allSatisfy { $0.start < $0.end })
    }
  }

  @Test("what it says")
  func text() async throws {
    let container = DIContainer()
    try await DIContainer.withCurrent(container) {
      #sourceLocation(file:"App/Dependencies.swift",line:10)
      // snippet: check-mistakes
      // Wrong: the client keeps the authentication of the first session.
      DIContainer.register {
        Scoped(in: .session) { resolve in Authentication(config: resolve()) }
        Shared { resolve in SyncClient(resolve()) }
      }
      // end
      #sourceLocation()
      let missing = await #expect(throws: VerificationError.self) { try await container.verify() }
      #expect(missing?.failures.map(\.code) == [.missingRegistration])
      container.register(New(AppConfigurationImpl() as AppConfiguration))
      let error = await #expect(throws: VerificationError.self) { try await container.verify() }
      #expect(error?.failures.map(\.code) == [.captiveDependency, .captiveDependency])
      container.register(Shared(AppConfigurationImpl() as AppConfiguration))
      let captive = await #expect(throws: VerificationError.self) { try await container.verify() }
      let article = try String(contentsOfFile: documentPath("CheckingRegistrations"), encoding: .utf8)
      let text = try #require(captive).description.replacing("SnippetTests/", with: "App/")
      #expect(article.contains("```text\n\(text)\n```"), "the article should show:\n\(text)")
    }
  }

  @Test("the graph")
  func graph() async throws {
    let container = DIContainer()
    await DIContainer.withCurrent(container) {
      #sourceLocation(file:"App/Dependencies.swift",line:11)
      // snippet: graph
      DIContainer.register {
        Shared(AppConfigurationImpl() as AppConfiguration)
        Shared(autowire: RouterImpl.init(config:), as: Router.self, DeeplinkHandler.self)
        New(HomeViewModel())
      }

      print(await DIContainer.current.graph().mermaid)
      // end
      #sourceLocation()
    }
    let graph = await container.graph()
    #expect(graph.edges.count == 2)
    let article = try String(contentsOfFile: documentPath("CheckingRegistrations"), encoding: .utf8)
    let text = graph.mermaid.replacing("SnippetTests/", with: "App/")
    #expect(article.contains("```mermaid\n\(text)```"), "the article should show:\n\(text)")
    // snippet: check-graph
    let pages = await container.graph()
    print(pages.mermaid)  // for a ```mermaid block
    print(pages.dot)  // for Graphviz
    // end
    #expect(pages.dot.hasPrefix("digraph"))
  }
}
