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

/// What one more thread does, as fast as it can, while others resolve.
enum Writer {
  /// Nothing: it is there only so that the readers are tied to the same cores.
  case absent

  /// Overrides another type.
  case overriding

  /// Overrides another type and resolves it, so that an instance is created and the one before released.
  case creating
}

/// Resolves the one instance, like `SharedLoop`, while one more thread does something with another type.
struct OneWriterLoop<Source: Overridable>: Loop {
  private let provider: Source
  private let readers: SharedLoop<Source>
  private let writer: Writer

  init(_ provider: Source, _ writer: Writer) {
    self.provider = provider
    self.writer = writer
    readers = SharedLoop(provider)
  }

  var registrations: Int? { readers.registrations }
  var isAccompanied: Bool { true }

  func run(_ operations: Int, thread: Int) throws(Violation) {
    try readers.run(operations, thread: thread)
  }

  func accompany(while isNeeded: () -> Bool) throws(Violation) {
    if writer == .absent { return }
    // One at a time in the process, because all of them override the same type of the same container.
    try oneWriter.withLock { _ throws(Violation) in try write(while: isNeeded) }
  }

  private func write(while isNeeded: () -> Bool) throws(Violation) {
    var revision = 0
    var wrong = 0
    repeat {
      revision &+= 1
      provider.override(revision: revision)
      if writer == .creating, provider.revision().number != revision { wrong &+= 1 }
    } while isNeeded()
    if writer == .overriding, provider.revision().number != revision { wrong &+= 1 }
    if wrong > 0 { throw .wrong(wrong, of: revision, "returned what had been overridden") }
  }
}

/// Held by the loop that overrides.
private let oneWriter = Locked(())
