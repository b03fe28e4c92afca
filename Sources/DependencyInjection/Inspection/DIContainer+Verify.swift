extension DIContainer {
  /// Resolves every registration in a sandbox, and throws everything that is wrong with them at once.
  ///
  /// ```swift
  /// @Test func registrations() async throws {
  ///   try await DIContainer.current.verify()
  /// }
  /// ```
  ///
  /// The sandbox is a copy without instances: every factory is called, and what it creates is let go. Every name, alias
  /// and ``Dependency`` is resolved that is registered here or in an ancestor. Found are missing registrations, circles,
  /// aliases that an instance does not conform to, wrong arguments, factories that fail, and captive dependencies: what
  /// ``Shared`` or ``Scoped`` keep although it is ``New``, ``PerGraph``, or of another scope.
  ///
  /// Factories run on threads of their own; one whose non-throwing resolve cannot succeed never returns, and leaves its
  /// thread and what is on its stack behind. The actor of one that is isolated stands still meanwhile. Only what needs
  /// the thread of its actor runs there, as what is isolated to the main actor, except on Linux. If a non-throwing
  /// resolve fails there, on an actor after a wait for something else than a resolve, or in a `Task {}` of a factory,
  /// nothing can be thrown: the process ends with the whole list, when everything has been checked.
  ///
  /// - Parameters:
  ///   - isLeftOut: Whether not to resolve a registration by itself: one with side effects, for example.
  ///   - arguments: The argument, or a tuple of them, for a registration that takes some.
  /// - Throws: `VerificationError`; a `CancellationError` if the task is cancelled, and the factory that runs with it,
  ///   before anything was found.
  public func verify(
    except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool = { _ in false },
    arguments: @escaping @Sendable (RegistrationInfo) -> Any? = { _ in nil }
  ) async throws {
    let error = await verification(except: isLeftOut, arguments).error
    if let error { throw error }
    try Task.checkCancellation()
  }

  /// Resolves every registration in a sandbox, and throws everything that is wrong with them at once.
  ///
  /// For code that is not asynchronous. It blocks its thread: what is isolated to the main actor, or to the actor that
  /// calls, cannot be created so, and is an error; leave it out, or use `await verify()`.
  ///
  /// - Parameters:
  ///   - isLeftOut: Whether not to resolve a registration by itself: one with side effects, for example.
  ///   - arguments: The argument, or a tuple of them, for a registration that takes some.
  /// - Throws: `VerificationError`.
  public func verify(
    except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool = { _ in false },
    arguments: @escaping @Sendable (RegistrationInfo) -> Any? = { _ in nil }
  ) throws {
    let blocked = SandboxExecutor.blockedByCaller
    let error = SandboxExecutor.wait { await self.verification(blocked: blocked, except: isLeftOut, arguments).error }
    if let error { throw error }
  }

  /// What registrations depend on which: found by resolving all of them in a sandbox, as
  /// ``verify(except:arguments:)-66qao`` does; what cannot be resolved is left out.
  ///
  /// - Parameters:
  ///   - isLeftOut: Whether not to resolve a registration by itself: one with side effects, for example.
  ///   - arguments: The argument, or a tuple of them, for a registration that takes some.
  /// - Returns: The graph, in the order of the registrations.
  public func graph(
    except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool = { _ in false },
    arguments: @escaping @Sendable (RegistrationInfo) -> Any? = { _ in nil }
  ) -> DependencyGraph {
    let blocked = SandboxExecutor.blockedByCaller
    return SandboxExecutor.wait { await self.verification(blocked: blocked, except: isLeftOut, arguments).graph }
  }

  /// What registrations depend on which, also those that are isolated to an actor.
  ///
  /// If the task is cancelled, it is what has been seen until then.
  ///
  /// - Parameters:
  ///   - isLeftOut: Whether not to resolve a registration by itself: one with side effects, for example.
  ///   - arguments: The argument, or a tuple of them, for a registration that takes some.
  /// - Returns: The graph, in the order of the registrations.
  public func graph(
    except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool = { _ in false },
    arguments: @escaping @Sendable (RegistrationInfo) -> Any? = { _ in nil }
  ) async -> DependencyGraph {
    await verification(except: isLeftOut, arguments).graph
  }

  private func verification(
    blocked: UInt? = nil, except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool,
    _ arguments: @escaping @Sendable (RegistrationInfo) -> Any?
  ) async -> Verification {
    let verification = Verification(of: self, blocked: blocked, except: isLeftOut, arguments: arguments)
    let (records, executor) = (visibleRecords(), SandboxExecutor())
    defer { executor.stop() }
    // Neither on the actor of the caller, nor on a thread that others need: a failure may keep it.
    await withTaskExecutorPreference(executor) { await verification.run(records) }
    return verification
  }
}
