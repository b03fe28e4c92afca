internal import Testing

@testable internal import DependencyInjection

private protocol Store<Item> { associatedtype Item }
private protocol Archive<Item>: Store {}
protocol Outcome<Success, Failure> {
  associatedtype Success
  associatedtype Failure
}
private protocol Plain {}
private protocol Bound: AnyObject {}
private protocol Comparing: Equatable {}
private class Base<Element> {}
private struct IntStore: Store { typealias Item = Int }
private enum Outer {
  struct Inner {}
  final class Generic<Element> { struct Deep {} }
}
private struct Several<each Element> {}
private typealias Kind = any (Plain & Bound).Type
private typealias None = Several<>
private typealias Owning = (consuming [Int]) -> Void
private struct Others<each Element, Last> {}
private struct `default` {}
private struct `two words < 3` {}
private enum Words {
  struct `class` {}
  protocol `in`<Item>: Store {}
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
    ((any Bound).self, "Bound.self"),
    ((any Plain & Bound).self, "(Bound & Plain).self"),
    ((any Plain & Base<Int>).self, "(Base<Int> & Plain).self"),
    ((any Store).self, "(any Store).self"),
    ((any Archive).self, "(any Archive).self"),
    ((any Comparing).self, "(any Comparing).self"),
    ((any Hashable).self, "(any Hashable).self"),
    ((any Store<String>).self, "(any Store<String>).self"),
    ((any Archive<[Int: String]>).self, "(any Archive<Dictionary<Int, String>>).self"),
    ((any Store<any Store<Outer.Inner>>).self, "(any Store<any Store<Outer.Inner>>).self"),
    ((any Store<Int> & Plain).self, "(any Plain & Store<Int>).self"),
    // The runtime does not know in which order they are written.
    ((any Outcome<Int, String>).self, "….self"),
    ([any Outcome<Int, any Error>].self, "….self"),
    ((any Outcome<Int, Int>).self, "(any Outcome<Int, Int>).self"),
    ([any Hashable].self, "Array<any Hashable>.self"),
    ([any Plain & Hashable].self, "Array<any Plain & Hashable>.self"),
    ((any Hashable.Type).self, "….self"),
    ((any Hashable).Type.self, "….self"),
    ((any Plain.Type).self, "Plain.Type.self"),
    (`default`.self, "`default`.self"),
    (Words.`class`.self, "Words.`class`.self"),
    (`two words < 3`.self, "`two words < 3`.self"),
    ([`two words < 3`].self, "Array<`two words < 3`>.self"),
    ((any Plain).Type.self, "….self"),
    (Kind.self, "….self"),
    // It does not show which functions escape.
    (((@escaping () -> Void) -> Void).self, "….self"),
    ((any Words.`in`<Int>).self, "(any Words.`in`<Int>).self"),
    (Others<Int>.self, "Others<Int>.self"),
    (None.self, "Several< >.self"),
    (Others<Int, String, Several<>>.self, "Others<Int, String, Several< >>.self"),
    (Owning.self, "….self"),
    ((any Store<String>)?.self, "Optional<any Store<String>>.self"),
    (Outer.Inner.self, "Outer.Inner.self"),
    (Outer.Generic<Outer.Inner>.self, "Outer.Generic<Outer.Inner>.self"),
    (Outer.Generic<Int>.Deep.self, "Outer.Generic<Int>.Deep.self"),
    (Several<Int, String>.self, "Several<Int, String>.self"),
    (Unicode.Scalar.self, "Unicode.Scalar.self"),
    ((Int, Outer.Inner).self, "(Int, Outer.Inner).self"),
    (Int.Type.self, "Int.Type.self"),
    ((() -> Void).self, "(() -> ()).self"),
    ((@Sendable () -> Void)?.self, "Optional<@Sendable () -> ()>.self"),
    (
      (@MainActor @Sendable (Outer.Inner) async throws -> Void).self,
      "(@MainActor @Sendable (Outer.Inner) async throws -> ()).self"
    ),
    ((@Drawing @Sendable () -> any Store<Int>).self, "(@Drawing @Sendable () -> any Store<Int>).self"),
    (type(of: made()), "Local.self"),
  ]

  @Test("A type in each message is Swift, with all that the compiler needs, and people read less")
  func source() throws {
    for (type, text) in Self.types {
      #expect(sourceName(type, ".self") == text)
      // People read less.
      #expect(!displayName(type).contains { "=$".contains($0) })
    }
    // They read the names of associated types where their order is not known.
    #expect(
      [displayName((any Outcome<Int, String>).self), displayName([any Outcome<Int, String>].self)] == [
        "Outcome<Failure: String, Success: Int>", "Array<any Outcome<Failure: String, Success: Int>>",
      ])
    #expect(
      [displayName(Owning.self), displayName(Others<Int>.self)] == ["(consuming Array<Int>) -> ()", "Others<Int>"])
    // Every message that can be copied has it.
    do {
      let container = DIContainer()
      container.register {
        Shared(IntStore(), as: (any Store<String>).self)
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
      try expect((any Store<String>).self, "aliases: { $0 as any Store<String> }`")
      try expect(Outer.Generic<Int>.Deep.self, "resolve(Outer.Generic<Int>.Deep.self) { … }`")
      try expect(Several<Int, String>.self, "try await resolveAsync(Several<Int, String>.self)`")
      try expect((any Cupboard.Inner).self, "Cupboard.Inner`")
      container.register(New { (_, number: Int) -> @Sendable () -> Void in {} })
      try expect((@Sendable () -> Void).self, "resolve((@Sendable () -> ()).self) { … }`")
    }
  }

  private final class DeepInner: Cupboard.Inner, Sendable {}
}

// Not private: no suggestion is for what only one file knows.
enum Cupboard {
  protocol Inner {}
}
