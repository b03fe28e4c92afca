extension DIContainer {
  /// Resolves every registration in a sandbox, and throws all problems together.
  ///
  /// ```swift
  /// @Test func registrations() async throws {
  ///   try await DIContainer.current.verify()
  /// }
  /// ```
  ///
  /// The sandbox is a copy without instances. Every factory is called, and the instances that it creates are released.
  /// The check resolves every name and alias that this container can resolve, its own and those of its ancestors, and
  /// each ``Dependency`` that has been resolved or overridden. It finds:
  ///
  /// - missing registrations and cycles,
  /// - aliases to which an instance does not conform,
  /// - wrong arguments and failing factories,
  /// - captive dependencies: instances that a ``Shared`` or ``Scoped`` instance keeps although they are ``New``,
  ///   ``PerGraph``, or of another scope.
  ///
  /// A synchronous factory runs on a thread of its own. If its `resolve()` cannot succeed, the check abandons the
  /// thread. If that thread holds a lock that another factory needs, the check says so after a minute, and ends. A
  /// factory that is asynchronous or isolated to an actor runs as it does in the app. If its `resolve()` cannot
  /// succeed, the process ends with the list of all problems found until then. Inside of a factory that is being
  /// checked, this method does nothing.
  ///
  /// - Parameters:
  ///   - isLeftOut: A closure that returns true for a registration that should not be resolved by itself, for example
  ///     because of its side effects.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, for a registration that takes any.
  /// - Throws: `VerificationError`, or a `CancellationError` if the task is canceled before a problem is found.
  public func verify(
    except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool = { _ in false },
    arguments: @escaping @Sendable (RegistrationInfo) -> Any? = { _ in nil }
  ) async throws {
    let error = await verification(except: isLeftOut, arguments)?.error
    if let error { throw error }
    try Task.checkCancellation()
  }

  /// Returns the graph of the registrations and their dependencies.
  ///
  /// It resolves all registrations in a sandbox, as ``verify(except:arguments:)`` does. If a registration cannot be
  /// resolved, the graph contains its dependencies before the failure. A registration that this container hides is in
  /// the graph if a registration of an ancestor needs it. If the task is canceled, the graph contains what was resolved
  /// until then. Inside of a factory that is being checked, the graph is empty.
  ///
  /// - Parameters:
  ///   - isLeftOut: A closure that returns true for a registration that should not be resolved by itself, for example
  ///     because of its side effects.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, for a registration that takes any.
  /// - Returns: The graph, in the order of the registrations. Those that only a request found come last.
  public func graph(
    except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool = { _ in false },
    arguments: @escaping @Sendable (RegistrationInfo) -> Any? = { _ in nil }
  ) async -> DependencyGraph {
    await verification(except: isLeftOut, arguments)?.graph ?? DependencyGraph(registrations: [], edges: [])
  }

  /// Resolves every registration in a sandbox; returns nil inside of a check, where it would never end.
  private func verification(
    except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool,
    _ arguments: @escaping @Sendable (RegistrationInfo) -> Any?
  ) async -> Verification? {
    if !Resolver.trapHandlers.isEmpty { return nil }
    let verification = Verification(of: self, except: isLeftOut, arguments: arguments)
    await verification.run()
    return verification
  }
}

/// All problems that ``DIContainer/verify(except:arguments:)`` found.
public struct VerificationError: Error, Sendable {
  /// The problems, in the order of the registrations; captive dependencies come last.
  ///
  /// Each mistake is listed once, however many registrations it affects. A type that is missing is listed for each line that
  /// asks for it.
  public let failures: [ResolutionError]

  /// The number of registrations.
  let count: Int
}

extension VerificationError: CustomStringConvertible {
  /// The list of all problems, with the description of each ``ResolutionError``.
  public var description: String {
    var text = "\(failures.count.counted("problem")) in \(count.counted("registration"))."
    for (index, failure) in failures.enumerated() {
      text += "\n\(index + 1). " + failure.description.split(separator: "\n").joined(separator: "\n   ")
    }
    return text
  }
}
