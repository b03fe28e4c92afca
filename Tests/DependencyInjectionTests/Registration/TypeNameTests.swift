internal import Testing

@testable internal import DependencyInjection

protocol Cabinet<Item> { associatedtype Item }
protocol Pairing<First, Second> {
  associatedtype First
  associatedtype Second
}
private protocol Drawer<Item> { associatedtype Item }
private protocol Plain {}
private protocol Bound: AnyObject {}
private class Base<Element> {}
private struct IntCabinet: Cabinet { typealias Item = Int }
private enum MySelf { struct Inner {} }
private enum Outer {
  struct Inner {}
  final class Generic<Element> { struct Deep {} }
}
private enum Part2_Of { struct Inner {} }
private struct Several<each Element> {}
private enum `API v1.0 (beta)` { struct `Client <1>` {} }
private enum Pay€Kit { struct Client {} }

extension Array {
  fileprivate struct Extending {}
}

@globalActor private actor Drawing { static let shared = Drawing() }

private func made() -> some Plain {
  struct Local: Plain {}
  return Local()
}

struct TypeNameTests {
  /// A type, with the text for which the compiler takes the same type.
  private static let types: [(Any.Type, String)] = [
    (Int.self, "Int.self"),
    ((any Plain).self, "Plain.self"),
    ((any Plain & Bound).self, "(Bound & Plain).self"),
    ((any Plain & Base<Int>).self, "(Base<Int> & Plain).self"),
    ((any Cabinet<String>).self, "(any Cabinet<String>).self"),
    ((any Cabinet<[Int: String]>).self, "(any Cabinet<Dictionary<Int, String>>).self"),
    ((any Cabinet<MySelf.Inner>).self, "(any Cabinet<MySelf.Inner>).self"),
    ((any Drawer<Int>).self, "(any Drawer<Int>).self"),
    ((any Cabinet<String>)?.self, "Optional<any Cabinet<String>>.self"),
    ((any Plain.Type).self, "Plain.Type.self"),
    (Outer.Inner.self, "Outer.Inner.self"),
    (Outer.Generic<Outer.Inner>.self, "Outer.Generic<Outer.Inner>.self"),
    (Outer.Generic<Int>.Deep.self, "Outer.Generic<Int>.Deep.self"),
    ([Int].Extending.self, "Array<Int>.Extending.self"),
    (Part2_Of.Inner.self, "Part2_Of.Inner.self"),
    (Unicode.Scalar.self, "Unicode.Scalar.self"),
    ((Int, Outer.Inner).self, "(Int, Outer.Inner).self"),
    (Int.Type.self, "Int.Type.self"),
    ((() -> Void).self, "(() -> ()).self"),
    ((@Sendable () -> Void)?.self, "Optional<@Sendable () -> ()>.self"),
    (
      (@MainActor @Sendable (Outer.Inner) async throws -> Void).self,
      "(@MainActor @Sendable (Outer.Inner) async throws -> ()).self"
    ),
    ((@Drawing @Sendable () -> any Cabinet<Int>).self, "(@Drawing @Sendable () -> any Cabinet<Int>).self"),
    (type(of: made()), "Local.self"),
    (Several<Int, Several<String>>.self, "Several<Int, Several<String>>.self"),
    (
      Several<any Cabinet<Int>, any Cabinet<any Cabinet<Int>>>.self,
      "Several<any Cabinet<Int>, any Cabinet<any Cabinet<Int>>>.self"
    ),
    (`API v1.0 (beta)`.`Client <1>`.self, "`API v1.0 (beta)`.`Client <1>`.self"),
    (Pay€Kit.Client.self, "Pay€Kit.Client.self"),
  ]

  @Test("A type in code to copy includes its enclosing types, and one in a text for people does not")
  func source() throws {
    for (type, text) in Self.types { #expect(sourceName(type, ".self") == text) }
    #expect(
      [(any Cabinet<String>).self, Outer.Generic<Outer.Inner>.Deep.self, [Int].Extending.self].map { displayName($0) }
        == ["Cabinet<String>", "Deep", "Extending"])
    #expect(
      [(any Plain & Bound)?.self, (@Sendable () -> Void)??.self, (any Plain)?.self].map { asOptional($0)?.name }
        == ["(Bound & Plain)?", "(@Sendable () -> ())??", "Plain?"])
    // The runtime does not know in which order these are written.
    #expect(
      displayName((any Pairing<Int, String>).self)
        == "Pairing<Self.Pairing.First == Int, Self.Pairing.Second == String>")
    // Every message with code to copy includes it.
    do {
      let container = DIContainer()
      container.register {
        Shared(IntCabinet(), as: (any Cabinet<String>).self)
        New { (_, number: Int) in Outer.Generic<Int>.Deep() }
        Shared { () async in Several<Int, String>() }
        New(onMain: Outer.Inner())
        Shared(DeepInner())
      }
      func expect<Value>(_ type: Value.Type, _ text: String, source: SourceLocation = #_sourceLocation) throws {
        let error = try #require(failure { try container.tryResolve(type) })
        #expect(error.notes.contains { $0.contains("`\(text)") }, "\(error)", sourceLocation: source)
        #expect(!error.description.contains(" == "), sourceLocation: source)
      }
      try expect((any Cabinet<String>).self, "aliases: { $0 as any Cabinet<String> }`")
      try expect(Outer.Generic<Int>.Deep.self, "resolve(Outer.Generic<Int>.Deep.self) { … }`")
      try expect(Outer.Inner.self, "try await resolveAsync(Outer.Inner.self)`")
      try expect((any Cupboard.Inner).self, "Cupboard.Inner`")
      container.register(New { (_, number: Int) -> @Sendable () -> Void in {} })
      try expect((@Sendable () -> Void).self, "resolve((@Sendable () -> ()).self) { … }`")
    }
  }

  private enum App {
    protocol Service {}
    class Client: @unchecked Sendable {}
    struct ID {}
  }

  private enum Live {
    final class Client: App.Client, @unchecked Sendable {}
    struct Service: Sendable {}
    struct ID {}
  }

  private struct Page {
    init(_ id: App.ID) {}
  }

  @Test("Types of the same short name have different names in all texts of an error")
  func sameName() throws {
    func text(_ resolve: () throws -> Any) throws -> String { "\(try #require(failure { _ = try resolve() }))" }
    let container = DIContainer()
    container.register(Shared(Live.Service(), as: (any App.Service).self))
    var found = try text { try container.tryResolve((any App.Service).self) }
    #expect(found.hasPrefix("'TypeNameTests.Live.Service' is registered as 'TypeNameTests.App.Service', but"))
    #expect(found.contains("make TypeNameTests.Live.Service conform to TypeNameTests.App.Service, or"))
    container.register {
      Shared(App.ID())
      New(autowire: Page.init, arguments: Live.ID.self)
      Shared(App.Client())
    }
    found = try text { try container.tryResolve(Page.self) { Live.ID() } }
    #expect(found.hasPrefix("'Page' got an argument of the type 'TypeNameTests.Live.ID', which no parameter takes."))
    found = try text { try container.tryResolve(Live.Client.self) }
    #expect(found.contains("'TypeNameTests.App.Client', a superclass of Client, is registered at"))
    // What an instance for each container lacks, and what only a child has.
    container.unregister(App.Client.self)
    container.register(Scoped(in: .container) { resolve in try (resolve.tryResolve(App.Client.self), Live.Client()).1 })
    found = try text { try container.tryResolve(Live.Client.self) }
    #expect(found.contains("'TypeNameTests.Live.Client' is created for the container that is asked for it"))
    #expect(found.contains("register 'TypeNameTests.App.Client' there"))
    container.register(Shared { resolve in try (resolve.tryResolve(App.Client.self), Live.Client()).1 })
    let child = DIContainer(parent: container)
    child.register(Shared(App.Client()))
    found = try text { try child.tryResolve(Live.Client.self) }
    #expect(found.contains("'TypeNameTests.Live.Client' belongs to a parent container: register"))
    container.register {
      Shared { () async in App.Client() }
      Shared { resolve in try (resolve.tryResolve(App.Client.self), Live.Client()).1 }
    }
    found = try text { try container.tryResolve(Live.Client.self) }
    #expect(found.contains("await it in the factory of 'TypeNameTests.Live.Client'"))
    #expect(found.contains("or await 'TypeNameTests.App.Client' once first"))
  }

  @Test("Only the beginning of a long name is compared with other names")
  func longName() {
    func name(_ end: String) -> DependencyName {
      DependencyName(String(repeating: "a", count: 99) + String(repeating: end, count: 999))
    }
    let container = DIContainer()
    container.register(Shared(1, named: name("b")))
    let notes = failure { try container.tryResolve(Int.self, named: name("c")) }?.notes
    #expect(notes?.first?.hasPrefix("did you mean '\(name("b"))', registered at ") == true)
  }

  private final class DeepInner: Cupboard.Inner, Sendable {}
}

// Not private: no suggestion names a type that only one file knows.
enum Cupboard {
  protocol Inner {}
}
