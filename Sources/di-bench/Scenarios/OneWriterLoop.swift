internal import DependencyInjection

/// What one thread overrides all the time while others resolve something else.
protocol Overridable: Provider {
  /// Replaces what `revision` returns.
  func override(revision: Int)

  /// What was set last.
  func revision() -> any Revision
}

/// An instance that is replaced again and again.
protocol Revision: Sendable {
  var number: Int { get }
}

/// The one implementation of `Revision`.
final class RevisionImpl: Revision {
  let number: Int

  init(number: Int) {
    self.number = number
  }
}

/// Resolves the one instance, like `SharedLoop`, while one more thread overrides and resolves another type.
struct OneWriterLoop<Source: Overridable>: Loop {
  private let provider: Source
  private let readers: SharedLoop<Source>

  init(_ provider: Source) {
    self.provider = provider
    readers = SharedLoop(provider)
  }

  var registrations: Int? { readers.registrations }
  var isAccompanied: Bool { true }

  func run(_ operations: Int, thread: Int) throws(Violation) {
    try readers.run(operations, thread: thread)
  }

  func accompany(while isNeeded: () -> Bool) throws(Violation) {
    var revision = 0
    var wrong = 0
    repeat {
      revision &+= 1
      provider.override(revision: revision)
      if provider.revision().number != revision { wrong &+= 1 }
    } while isNeeded()
    if wrong > 0 { throw .wrong(wrong, of: revision, "returned what had been overridden") }
  }
}
