internal import DependencyInjection

/// A container of its own, in the place of the shared one.
struct RestorableContainer: Restorable {
  private let container: DIContainer

  init(registrations: Int) {
    container = DIContainer()
    for key in Keys.many.prefix(registrations - 1) { Self.install(key, in: container) }
    override(revision: 0)
    _ = revision()
  }

  private init(_ container: DIContainer) {
    self.container = container
  }

  private static func install<Value: Keyed>(_: Value.Type, in container: DIContainer) {
    container.register(Shared(Value()))
    _ = container.resolve(Value.self)
  }

  func reset() { container.reset() }
  func save() -> Registry { container.registry() }
  func restore(_ saved: Registry) { container.setRegistry(saved) }
  static func count(of saved: Registry) -> Int { saved.records.count }
  func copy() -> RestorableContainer { RestorableContainer(container.isolatedCopy()) }
  var count: Int { container.registry().records.count }

  func override(revision: Int) {
    container.register(Shared(RevisionImpl(number: revision) as any Revision))
  }

  func revision() -> Int { container.resolve((any Revision).self).number }

  func whileCurrent<Result>(_ body: () throws(Violation) -> Result) throws(Violation) -> Result {
    do {
      return try DIContainer.withCurrent(container, body)
    } catch let violation as Violation {
      throw violation
    } catch {
      throw Violation(message: "\(error)")
    }
  }

  func overriddenRevision(_ revision: Int) -> Int {
    DIContainer.withOverrides {
      Shared(RevisionImpl(number: revision) as any Revision)
    } perform: {
      DIContainer.resolve((any Revision).self).number
    }
  }
}
