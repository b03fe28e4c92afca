// What tests do with a container of a number of registrations, one operation after the other.

protocol RestorableLoop: Loop {
  associatedtype Target: Restorable

  init(target: Target, registrations: Int?)
}

extension RestorableLoop {
  /// The loop on a target of this type, with this number of registrations.
  init(_: Target.Type, of registrations: Int) {
    self.init(target: Target(registrations: registrations), registrations: registrations)
  }
}

/// Takes snapshots.
struct SnapshotLoop<Target: Restorable>: RestorableLoop {
  let target: Target
  let registrations: Int?

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    var wrong = 0
    for _ in 0..<operations where Target.count(of: target.save()) != registrations { wrong &+= 1 }
    if wrong > 0 { throw .wrong(wrong, of: operations, "saved another number of registrations") }
  }
}

/// Puts back what was saved, all instances included; before the first time, something is overridden.
struct RestoreLoop<Target: Restorable>: RestorableLoop {
  let target: Target
  let registrations: Int?

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    let saved = target.save()
    target.override(revision: 1)
    if target.revision() != 1 { throw Violation(message: "what was registered last was not resolved") }
    for _ in 0..<operations { target.restore(saved) }
    if target.count != registrations || target.revision() != 0 {
      throw Violation(message: "what was saved was not restored")
    }
  }
}

/// Makes copies, of which none is changed.
struct IsolatedCopyLoop<Target: Restorable>: RestorableLoop {
  let target: Target
  let registrations: Int?

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    var wrong = 0
    for _ in 0..<operations where target.copy().count != registrations { wrong &+= 1 }
    if wrong > 0 { throw .wrong(wrong, of: operations, "copied another number of registrations") }
  }
}

/// Makes copies and changes each once: what a test with a mock does.
struct ChangedCopyLoop<Target: Restorable>: RestorableLoop {
  let target: Target
  let registrations: Int?

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    var wrong = 0
    for revision in 1...operations {
      let copy = target.copy()
      copy.override(revision: revision)
      if copy.revision() != revision { wrong &+= 1 }
    }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned what had been overridden") }
    if target.revision() != 0 { throw Violation(message: "a change of a copy changed the original") }
  }
}

/// Overrides one type for the time of one resolve.
struct WithOverridesLoop<Target: Restorable>: RestorableLoop {
  let target: Target
  let registrations: Int?

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    let wrong = try target.whileCurrent { () throws(Violation) in
      var wrong = 0
      for revision in 1...operations where target.overriddenRevision(revision) != revision { wrong &+= 1 }
      return wrong
    }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned what had been overridden") }
    if target.revision() != 0 { throw Violation(message: "an override outlived its closure") }
  }
}

/// Resolves from a container that has this many registrations.
struct ResolveAmongLoop<Target: Restorable>: RestorableLoop {
  let target: Target
  let registrations: Int?

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    var wrong = 0
    for _ in 0..<operations where target.revision() != 0 { wrong &+= 1 }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned another instance") }
  }
}

/// Drops all instances and creates one of them again.
struct ResetLoop<Target: Restorable>: RestorableLoop {
  let target: Target
  let registrations: Int?

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    var wrong = 0
    for _ in 0..<operations {
      target.reset()
      if target.revision() != 0 { wrong &+= 1 }
    }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned another instance") }
  }
}
