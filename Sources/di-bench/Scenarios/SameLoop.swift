/// Resolves the one instance or value of a type again and again.
struct SameLoop<Source: Provider, What: Sameness>: Loop {
  private let provider: Source

  /// What all threads have to get in all samples.
  private let expected: What.Expected

  init(_ provider: Source) {
    self.provider = provider
    expected = What.expected(from: provider)
  }

  var registrations: Int? { provider.registrations }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    var wrong = 0
    for _ in 0..<operations where What.differs(provider, from: expected) { wrong &+= 1 }
    if wrong > 0 { throw .wrong(wrong, of: operations, What.violation) }
  }
}

/// What there is one of.
protocol Sameness {
  /// What every resolve is compared with.
  associatedtype Expected: Sendable

  static func expected(from provider: some Provider) -> Expected

  /// Resolves once; whether the result is something else.
  static func differs(_ provider: some Provider, from expected: Expected) -> Bool

  /// What is wrong then.
  static var violation: String { get }
}

typealias SharedLoop<Source: Provider> = SameLoop<Source, SameService>
typealias BoundLoop<Source: Provider> = SameLoop<Source, SameBoundService>
typealias StructLoop<Source: Provider> = SameLoop<Source, SameSettings>
typealias StructReferencesLoop<Source: Provider> = SameLoop<Source, SameSession>

extension Sameness {
  static var violation: String { "returned another instance of a shared class" }
}

/// The instance of a class, by its protocol.
enum SameService: Sameness {
  static func expected(from provider: some Provider) -> ObjectIdentifier { provider.service().identity }

  static func differs(_ provider: some Provider, from expected: ObjectIdentifier) -> Bool {
    provider.service().identity != expected
  }
}

/// The instance of a class, by a protocol that only classes can conform to.
enum SameBoundService: Sameness {
  static func expected(from provider: some Provider) -> ObjectIdentifier { provider.boundService().identity }

  static func differs(_ provider: some Provider, from expected: ObjectIdentifier) -> Bool {
    provider.boundService().identity != expected
  }
}

/// The value without references.
enum SameSettings: Sameness {
  static func expected(from provider: some Provider) -> Settings { provider.settings() }

  static func differs(_ provider: some Provider, from expected: Settings) -> Bool { provider.settings() != expected }

  static var violation: String { "returned another value of a shared struct" }
}

/// The value with references.
enum SameSession: Sameness {
  static func expected(from provider: some Provider) -> Session { provider.session() }

  static func differs(_ provider: some Provider, from expected: Session) -> Bool {
    provider.session().differs(from: expected)
  }

  static var violation: String { "returned another value of a shared struct" }
}
