/// What happens when a resolve asks for a certain type, on the thread that asked, outside every lock.
@usableFromInline
package typealias Tripwire = @Sendable (ResolutionEvent) -> Void

extension RegistrationList {
  /// Adds something that happens whenever a type is asked for; who asks gets what there is without it.
  ///
  /// A later registration of the type takes it away.
  package mutating func addTripwire(
    on type: Any.Type, named name: DependencyName?, at location: SourceLocation, _ tripwire: @escaping Tripwire
  ) {
    addTripwire(on: type, Label(name), at: location, tripwire)
  }

  /// Adds something that happens whenever a declared dependency is asked for; who asks gets what there is without it.
  package mutating func addTripwire<Value>(
    on dependency: Dependency<Value>, at location: SourceLocation, _ tripwire: @escaping Tripwire
  ) {
    addTripwire(on: Value.self, dependency.label, at: location, tripwire)
  }

  private mutating func addTripwire(
    on type: Any.Type, _ label: Label, at location: SourceLocation, _ tripwire: @escaping Tripwire
  ) {
    let draft = DefinitionDraft(
      type: type, factory: Factory { _, _, _ in }, aliases: [], label: label, location: location, tripwire: tripwire)
    add(Definition(draft, lifetime: .new))
  }
}
