/// A closure that wraps the instances of one key, in a form that is the same for all types.
package final class Decorator: @unchecked Sendable {
  // Unchecked: immutable. The closures are `Sendable` or isolated to the actor that `isolation` names.

  /// The actor that the closure is isolated to, if any.
  let isolation: (any Actor)?

  /// The location of the declaration.
  package let location: CodeLocation

  /// A Boolean value that indicates whether `registerDependencies` has added it.
  let isDefault: Bool

  /// Returns a factory that resolves the instance to wrap, asynchronously if the second parameter is true.
  private let makeFactory: (Decorator, Bool) -> Factory

  init(
    isolation: (any Actor)?, isDefault: Bool, location: CodeLocation,
    _ makeFactory: @escaping (Decorator, Bool) -> Factory
  ) {
    self.isolation = isolation
    self.isDefault = isDefault
    self.location = location
    self.makeFactory = makeFactory
  }

  /// Returns the factory of a decorated registration.
  ///
  /// - Parameter inner: The registration whose instances it wraps.
  /// - Returns: The factory, which is asynchronous if that of the other registration is, or has to run on another actor.
  func factory(decorating inner: Definition) -> Factory {
    // A synchronous factory cannot wait for another actor.
    let isElsewhere = sequence(first: inner, next: \.inner).contains { other in
      guard let isolation, let there = other.isolation else { return false }
      return isolation !== there
    }
    return makeFactory(self, inner.isAsync || isElsewhere)
  }
}
