internal import Foundation
internal import Testing

@testable import di_bench

@Suite("What the lifecycle loops check")
struct LifecycleLoopTests {
  @Test("A container and a dictionary of any size pass", arguments: [1, 2, 100])
  func right(_ size: Int) throws {
    try check(RestorableContainer.self, size)
    try check(RestorableDictionary.self, size)
  }

  private func check<Target: Restorable>(_ type: Target.Type, _ size: Int) throws {
    let workloads = [
      Workload(SnapshotLoop(type, of: size)), Workload(RestoreLoop(type, of: size)),
      Workload(IsolatedCopyLoop(type, of: size)), Workload(ChangedCopyLoop(type, of: size)),
      Workload(WithOverridesLoop(type, of: size)), Workload(ResolveAmongLoop(type, of: size)),
      Workload(ResetLoop(type, of: size)),
    ]
    for workload in workloads {
      #expect(workload.registrations == size)
      // Twice, because a sample is preceded by a warm-up.
      try workload.run(3, 0)
      try workload.run(3, 0)
      try workload.finish()
    }
  }

  @Test("A registration that a snapshot or a copy lacks is found")
  func lost() {
    #expect(throws: Violation(message: "3 of 3 operations saved another number of registrations")) {
      try Workload(SnapshotLoop(Faulty<Forgets>.self, of: 5)).run(3, 0)
    }
    #expect(throws: Violation(message: "3 of 3 operations copied another number of registrations")) {
      try Workload(IsolatedCopyLoop(Faulty<Forgets>.self, of: 5)).run(3, 0)
    }
  }

  @Test("A restore that does nothing is found")
  func notRestored() {
    #expect(throws: Violation(message: "what was saved was not restored")) {
      try Workload(RestoreLoop(Faulty<KeepsChanges>.self, of: 5)).run(3, 0)
    }
  }

  @Test("An override that has no effect is found")
  func ignored() {
    #expect(throws: Violation(message: "what was registered last was not resolved")) {
      try Workload(RestoreLoop(Faulty<IgnoresOverrides>.self, of: 5)).run(3, 0)
    }
    let violation = Violation(message: "3 of 3 operations returned what had been overridden")
    #expect(throws: violation) { try Workload(ChangedCopyLoop(Faulty<IgnoresOverrides>.self, of: 5)).run(3, 0) }
    #expect(throws: violation) { try Workload(WithOverridesLoop(Faulty<IgnoresOverrides>.self, of: 5)).run(3, 0) }
  }

  @Test("An override that reaches the original is found")
  func leaked() {
    #expect(throws: Violation(message: "a change of a copy changed the original")) {
      try Workload(ChangedCopyLoop(Faulty<SharesWithCopies>.self, of: 5)).run(3, 0)
    }
    #expect(throws: Violation(message: "an override outlived its closure")) {
      try Workload(WithOverridesLoop(Faulty<SharesWithCopies>.self, of: 5)).run(3, 0)
    }
  }

  @Test("A program that cannot be started or that fails is found")
  func programs() throws {
    try withTemporaryFolder { folder in
      let program = { (name: String) in Workload(StartLoop(name, in: folder)) }
      let none = folder.appending(path: "none").path
      #expect(throws: Violation(message: "cannot start '\(none)'")) { try program("none").run(1, 0) }
      for status in [0, 1] {
        try makeExecutable("exit \(status)", at: folder.appending(path: "ends-with-\(status)").path)
      }
      try program("ends-with-0").run(2, 0)
      let failing = folder.appending(path: "ends-with-1").path
      #expect(throws: Violation(message: "'\(failing)' ended with status 256")) { try program("ends-with-1").run(1, 0) }
    }
  }
}

// MARK: - What is wrong

/// What a `Faulty` does wrong.
private protocol Fault {
  static var losesOne: Bool { get }
  static var restores: Bool { get }
  static var overrides: Bool { get }
  static var copies: Bool { get }
}

extension Fault {
  static var losesOne: Bool { false }
  static var restores: Bool { true }
  static var overrides: Bool { true }
  static var copies: Bool { true }
}

private enum Forgets: Fault { static var losesOne: Bool { true } }
private enum KeepsChanges: Fault { static var restores: Bool { false } }
private enum IgnoresOverrides: Fault { static var overrides: Bool { false } }
private enum SharesWithCopies: Fault { static var copies: Bool { false } }

/// The dictionary, with a fault.
private struct Faulty<Mistake: Fault>: Restorable {
  private let target: RestorableDictionary

  init(registrations: Int) {
    target = RestorableDictionary(registrations: registrations)
  }

  private init(_ target: RestorableDictionary) {
    self.target = target
  }

  func reset() { target.reset() }
  func save() -> RestorableDictionary.Saved { target.save() }
  func restore(_ saved: RestorableDictionary.Saved) { if Mistake.restores { target.restore(saved) } }
  static func count(of saved: RestorableDictionary.Saved) -> Int { saved.count - (Mistake.losesOne ? 1 : 0) }
  func copy() -> Faulty { Mistake.copies ? Faulty(target.copy()) : self }
  var count: Int { target.count - (Mistake.losesOne ? 1 : 0) }
  func override(revision: Int) { if Mistake.overrides { target.override(revision: revision) } }
  func revision() -> Int { target.revision() }

  func whileCurrent<Result>(_ body: () throws(Violation) -> Result) throws(Violation) -> Result { try body() }

  func overriddenRevision(_ revision: Int) -> Int {
    let overridden = copy()
    overridden.override(revision: revision)
    return overridden.revision()
  }
}
