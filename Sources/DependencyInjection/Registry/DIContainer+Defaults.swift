// These functions call an app's `registerDependencies` once, in the first resolution.

extension DIContainer {
  /// The conforming type, if the app declares the conformance.
  static let registering: (any DependencyRegistering.Type)? =
    (DIContainer.self as Any.Type) as? any DependencyRegistering.Type

  /// A Boolean value that indicates whether the calling thread registers the defaults of this container.
  var isRegisteringDefaults: Bool { ThreadState.current.registersDefaults == ObjectIdentifier(self) }

  /// Calls `registerDependencies`, unless that has been done or this thread is doing it.
  ///
  /// - Returns: A Boolean value that indicates whether anything may have been registered, so that another search is
  ///   useful.
  func registerDefaults() -> Bool {
    guard let registering = Self.registering else { return false }
    let (creation, isMine) = state.withLock { state -> (ThreadCreation?, Bool) in
      switch state.registry.defaults {
      case .none: return (nil, false)
      case .running(let creation): return (creation, false)
      case .pending:
        let creation = ThreadCreation(of: nil)
        state.registry.defaults = .running(creation)
        return (creation, true)
      }
    }
    guard let creation else { return true }
    if isMine {
      let thread = ThreadState.current
      let outer = thread.registersDefaults
      thread.registersDefaults = ObjectIdentifier(self)
      // The container is made current explicitly, so that resolutions in there do not look like code that has lost its
      // container.
      Self.withCurrent(self) { registering.registerDependencies() }
      thread.registersDefaults = outer
      state.withLock { state in
        // A snapshot may have been restored meanwhile. Then the defaults are pending again.
        if case .running(let current) = state.registry.defaults, current === creation {
          state.registry.defaults = .none
          updateShadowedKeys(state)
        }
      }
      creation.finish()
      return true
    }
    if creation.isOwn { return false }
    // A cycle through another thread, which is in the middle of registering. Use what is registered so far.
    return creation.wait() == nil
  }
}
