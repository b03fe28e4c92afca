internal import DependencyInjection

/// What one would write by hand: a dictionary behind a mutex, which is copied as a value.
struct RestorableDictionary: Restorable {
  private let entries: LockedDictionary

  init(registrations: Int) {
    entries = LockedDictionary()
    for key in Keys.many.prefix(registrations - 1) { Self.install(key, in: entries) }
    override(revision: 0)
  }

  private init(_ saved: [ObjectIdentifier: any Sendable]) {
    entries = LockedDictionary()
    entries.restore(saved)
  }

  private static func install<Value: Keyed>(_ type: Value.Type, in entries: LockedDictionary) {
    entries.set(Value(), for: ObjectIdentifier(type))
  }

  /// A dictionary of instances has nothing else to keep.
  func reset() {
    entries.restore([:])
    override(revision: 0)
  }

  func save() -> [ObjectIdentifier: any Sendable] { entries.save() }
  func restore(_ saved: [ObjectIdentifier: any Sendable]) { entries.restore(saved) }
  static func count(of saved: [ObjectIdentifier: any Sendable]) -> Int { saved.count }
  func copy() -> RestorableDictionary { RestorableDictionary(entries.save()) }
  var count: Int { entries.count }

  func override(revision: Int) {
    entries.set(RevisionImpl(number: revision), for: ObjectIdentifier((any Revision).self))
  }

  func revision() -> Int { entries.instance((any Revision).self).number }

  func whileCurrent<Result>(_ body: () throws(Violation) -> Result) throws(Violation) -> Result {
    try body()
  }

  func overriddenRevision(_ revision: Int) -> Int {
    let overridden = copy()
    overridden.override(revision: revision)
    return overridden.revision()
  }
}
