// How `registerDependencies` of an app comes to be called: once, by the first resolve.

extension DIContainer {
  /// The conformance, if the app has one.
  static let registering: (any DependencyRegistering.Type)? =
    (DIContainer.self as Any.Type) as? any DependencyRegistering.Type

  /// A Boolean value that indicates whether the calling thread registers the defaults of this container.
  var isRegisteringDefaults: Bool {
    guard Self.registering != nil else { return false }
    return ThreadState.current.registersDefaults == ObjectIdentifier(self)
  }

  /// Calls `registerDependencies` of this container and its ancestors, if it is still to be called.
  func registerPendingDefaults() {
    var next: DIContainer? = self
    while let container = next {
      if container.state.withLock({ if case .none = $0.registry.defaults { false } else { true } }) {
        _ = container.registerDefaults()
      }
      next = container.parent
    }
  }

  /// Calls `registerDependencies`, unless that has been done or this thread is doing it.
  ///
  /// - Returns: Whether anything may have been registered, so that looking again makes sense.
  func registerDefaults() -> Bool {
    guard let registering = Self.registering else {
      state.withLock { $0.registry.defaults = .none }
      return false
    }
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
      // Explicitly, so that what it resolves is not mistaken for code that has lost its container.
      Self.withCurrent(self) { registering.registerDependencies() }
      thread.registersDefaults = outer
      state.withLock { state in
        // Unless a snapshot has been restored meanwhile, for which they are still to be registered.
        if case .running(let current) = state.registry.defaults, current === creation {
          state.registry.defaults = .none
          updateShadowedKeys(state)
        }
      }
      creation.finish()
      return true
    }
    if creation.isOwn { return false }
    // A cycle through another thread: that one is already in the middle of registering, so look at what is there.
    return creation.wait() == nil
  }
}
