internal import Testing

@testable internal import DependencyInjection

private protocol Greeter: AnyObject, Sendable {
  var greeting: String { get }
}

private protocol First: AnyObject {}
private protocol Second: AnyObject {}
private protocol Third: AnyObject {}

/// A class with more protocols than a table has words for.
private final class Versatile: First, Second, Third, Greeter, @unchecked Sendable { let greeting = "hello" }

private final class Described: MediaPlayer, TextOutputStreamable, CustomStringConvertible {
  let description = ""
  func write(to target: inout some TextOutputStream) {}
}

private class GreeterImpl: Greeter, MediaPlayer, Error, @unchecked Sendable {
  let greeting = "hello"
}

private final class PoliteGreeter: GreeterImpl, @unchecked Sendable {}

/// A value in an existential as it is, even if it is an existential itself; `as Any` keeps a call from opening that.
private func erase<Value>(_ value: Value) -> Any { value as Any }

struct ExistentialTests {
  @Test("What an existential holds is laid out as a reference only if it is one, and found through all of them")
  func layouts() {
    let greeter = GreeterImpl()
    #expect(
      [
        answerKind(of: erase(greeter as any Greeter) as Any),
        answerKind(of: erase(GreeterImpl() as any MediaPlayer & AnyObject) as Any),
        answerKind(of: erase(PlayerObject() as any MediaPlayer) as Any),
      ] == [.boxed, .boxed, .boxed])
    let sendable = Box(greeter as any Greeter).cast(to: (any Sendable).self)?.value(as: (any Sendable).self)
    #expect(sendable.map { answerKind(of: $0 as any Sendable) } == .boxed)
    #expect(
      [
        answerKind(of: GreeterImpl() as any Error), answerKind(of: erase(GreeterImpl() as any Error) as Any),
        answerKind(of: GreeterImpl() as any Error & AnyObject), answerKind(of: PoliteGreeter() as GreeterImpl as Any),
        answerKind(of: PoliteGreeter() as GreeterImpl as any MediaPlayer),
      ] == [.boxed, .boxed, .reference, .referenceInBuffer, .referenceInBuffer])
    #expect(
      [
        answerKind(of: Versatile() as any First & Second & Third),
        answerKind(of: Versatile() as any First & Second & Third & Greeter),
        answerKind(of: Described() as any MediaPlayer & TextOutputStreamable),
        answerKind(of: Described() as any MediaPlayer & TextOutputStreamable & CustomStringConvertible),
        answerKind(of: SIMD4<Float>(repeating: 1)),
      ] == [.reference, .boxed, .referenceInBuffer, .boxed, .trivial])
    #expect(
      Box(greeter as any Greeter).object === greeter && Box(erase(greeter as any Greeter) as Any).object === greeter
        && Box(erase(greeter as any MediaPlayer) as Any).object === greeter)
    #expect(Box(SimplePlayer() as any MediaPlayer).object == nil && Box(greeter as any Error).object === greeter)
  }

  @Test("An instance, also a weak one, in an existential in another one is whole, however often it is resolved")
  func kept() {
    #expect(
      [
        isWhole { Shared({ GreeterImpl() as any Greeter }, as: Any.self, (any Sendable).self, (any MediaPlayer).self) },
        isWhole { Shared({ () -> Any in erase(GreeterImpl() as any Greeter) }, as: Any.self, (any Sendable).self) },
        isWhole { Shared({ PoliteGreeter() as GreeterImpl }, as: Any.self, (any Sendable).self) },
        isWhole { Shared({ GreeterImpl() as any Error }, as: Any.self, (any Sendable).self, (any Error).self) },
        isWhole { Weak({ GreeterImpl() as any Greeter }, as: Any.self, (any Sendable).self, (any MediaPlayer).self) },
        isWhole { Weak({ () -> Any in erase(GreeterImpl() as any Greeter) }, as: Any.self, (any Sendable).self) },
        isWhole { Weak({ PoliteGreeter() as GreeterImpl }, as: Any.self, (any Sendable).self) },
        isWhole { Weak({ GreeterImpl() as any Error }, as: Any.self, (any Sendable).self, (any Error).self) },
      ] == Array(repeating: true, count: 8))
  }

  @Test("A value with a larger alignment, or with a reference and many protocols, is whole each time")
  func large() {
    let (container, vector) = (DIContainer(), SIMD4<Float>(1, 2, 3, 4))
    container.register {
      Shared(vector)
      Shared(Versatile() as any First & Second & Third & Greeter)
      New { resolve in [resolve(SIMD4<Float>.self), resolve()] }
    }
    let first = container.resolve((any First & Second & Third & Greeter).self)
    for _ in 0..<3 {
      let found = container.resolve((any First & Second & Third & Greeter).self)
      #expect(found === first && found.greeting == "hello")
      #expect(container.resolve(SIMD4<Float>.self) == vector && container.resolve(SIMD4<Float>?.self) == vector)
      #expect(container.resolve([SIMD4<Float>].self) == [vector, vector])
      #expect(container.resolve(SIMD4<Float>??.self) == vector)
    }
    #expect(Box(Int??.some(.some(1))).unwrapped?.type == Int.self && Box(Int??.some(nil)).unwrapped == nil)
  }
}

/// Resolves what is registered as several types again and again, and returns whether it is the same greeter each time.
private func isWhole(_ registration: () -> some Registration) -> Bool {
  let container = DIContainer()
  container.register(registration())
  guard let first = container.resolve(Any.self) as? any Greeter else { return false }
  func isFirst(_ found: Any) -> Bool {
    guard let greeter = found as? any Greeter else { return false }
    return greeter === first && greeter.greeting == "hello" && "\(greeter)".contains("Greeter")
  }
  return (0..<3).allSatisfy { _ in
    isFirst(container.resolve(Any.self)) && isFirst(container.resolve((any Sendable).self))
      && isFirst(container.resolve(Any?.self) as Any)
      && container.resolve((any MediaPlayer)?.self).map { isFirst($0) } != false
      && container.resolve((any Error)?.self).map { isFirst($0) } != false
  }
}
