/// Resolves one type and, every so many operations, overrides another.
struct MixedLoop<Source: Overridable>: Loop {
  private let provider: Source
  private let expected: ObjectIdentifier
  private let interval: Int

  init(_ provider: Source, overridingEvery interval: Int) {
    self.provider = provider
    self.interval = interval
    expected = provider.service().identity
  }

  var registrations: Int? { provider.registrations }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    var wrong = 0
    for index in 1...operations {
      if index.isMultiple(of: interval) {
        provider.override(revision: index)
      } else if provider.service().identity != expected {
        wrong &+= 1
      }
    }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned another instance of a shared class") }
  }
}
