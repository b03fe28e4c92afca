extension DIContainer {
  /// Resolves every registration in a sandbox, and throws everything that is wrong with them at once.
  ///
  /// ```swift
  /// @Test func registrations() async throws {
  ///   try await DIContainer.current.verify()
  /// }
  /// ```
  ///
  /// The sandbox is a copy without instances: every factory is called, and what it creates is released. Every name, alias
  /// and ``Dependency`` is resolved that is registered here or in an ancestor. The check finds missing registrations,
  /// cycles, aliases that an instance does not conform to, wrong arguments, factories that fail, and captive dependencies:
  /// what ``Shared`` or ``Scoped`` keep although it is ``New``, ``PerGraph``, or of another scope.
  ///
  /// A synchronous factory runs on a thread of its own; if its `resolve()` cannot succeed, the thread stays behind. What is
  /// asynchronous or isolated to an actor runs as it does in the app; if its `resolve()` cannot succeed, the process ends
  /// with the list of everything that was found until then. Inside of a factory that is being checked, this does nothing.
  ///
  /// - Parameters:
  ///   - isLeftOut: Returns whether not to resolve a registration by itself: one with side effects, for example.
  ///   - arguments: Returns the argument, or a tuple of them, for a registration that takes some.
  /// - Throws: `VerificationError`; a `CancellationError` if the task is cancelled before anything was found.
  public func verify(
    except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool = { _ in false },
    arguments: @escaping @Sendable (RegistrationInfo) -> Any? = { _ in nil }
  ) async throws {
    let error = await verification(except: isLeftOut, arguments)?.error
    if let error { throw error }
    try Task.checkCancellation()
  }

  /// Returns which registrations depend on which.
  ///
  /// It resolves all of them in a sandbox, as ``verify(except:arguments:)`` does. What cannot be resolved has no edges. If
  /// the task is cancelled, the graph has what was seen until then. Inside of a factory that is being checked, it is empty.
  ///
  /// - Parameters:
  ///   - isLeftOut: Returns whether not to resolve a registration by itself: one with side effects, for example.
  ///   - arguments: Returns the argument, or a tuple of them, for a registration that takes some.
  /// - Returns: The graph, in the order of the registrations.
  public func graph(
    except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool = { _ in false },
    arguments: @escaping @Sendable (RegistrationInfo) -> Any? = { _ in nil }
  ) async -> DependencyGraph {
    await verification(except: isLeftOut, arguments)?.graph ?? DependencyGraph(registrations: [], edges: [])
  }

  /// Resolves every registration in a sandbox; nil inside of a check, which would never end.
  private func verification(
    except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool,
    _ arguments: @escaping @Sendable (RegistrationInfo) -> Any?
  ) async -> Verification? {
    if TrapHandling.current != nil { return nil }
    let verification = Verification(of: self, except: isLeftOut, arguments: arguments)
    await verification.run(visibleRecords { !$0.isImplicit })
    return verification
  }
}
