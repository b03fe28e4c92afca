/// What happens when a resolve asks for a certain type, on the thread that asked, outside every lock.
package typealias Tripwire = @Sendable (ResolutionEvent) -> Void

extension RegistrationList {
  /// Adds something that happens whenever a type is asked for; who asks gets what there is without it.
  ///
  /// A later registration of the type takes it away.
  package mutating func addTripwire(
    on type: Any.Type, named name: DependencyName?, at location: SourceLocation, _ tripwire: @escaping Tripwire
  ) {
    let details = Factory.Details(tripwire: tripwire)
    let draft = DefinitionDraft(
      type: type, factory: Factory(closure: .none, details: details), aliases: [], named: name, location: location)
    add(draft.definition(lifetime: .new))
  }
}
