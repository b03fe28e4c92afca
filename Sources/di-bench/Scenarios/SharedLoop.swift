/// Resolves the one instance again and again.
struct SharedLoop<Source: Provider>: Loop {
  private let provider: Source

  /// The instance that all threads have to get in all samples.
  private let expected: ObjectIdentifier

  init(_ provider: Source) {
    self.provider = provider
    expected = provider.service().identity
  }

  var registrations: Int? { provider.registrations }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    var wrong = 0
    for _ in 0..<operations where provider.service().identity != expected { wrong &+= 1 }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned another instance of a shared class") }
  }
}
