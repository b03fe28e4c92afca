extension DIContainer {
  /// Wraps the instances of a type, whether it is registered already or will be:
  /// `decorate(Router.self) { router, resolve in LoggingRouter(router) }`.
  ///
  /// A decorator wraps each instance once, with the lifetime of the registration: the wrapper of a ``Shared`` instance
  /// is shared, too. It wraps what this container registers or inherits for the type, and nothing that a child registers
  /// or that a test overrides: these take the place of the whole. Other aliases of the registration stay as they are.
  /// Several decorators compose: the first one wraps the instance, and each further one wraps the wrapper.
  ///
  /// ``unregister(_:named:)-method`` removes the registration together with its decorators. An instance that was
  /// resolved before stays as it is.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there. To ask the resolver for the type itself is a cycle.
  public func decorate<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) throws -> Value
  ) {
    decorate(Label(name), CodeLocation(file: file, line: line), wrap)
  }

  /// Wraps the instances of a type with an asynchronous closure, so that `resolveAsync` has to create them.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public func decorate<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) async throws -> Value
  ) {
    decorate(Label(name), CodeLocation(file: file, line: line), wrap)
  }

  /// Wraps the instances of a type in the current container, whether it is registered already or will be.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public static func decorate<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) throws -> Value
  ) {
    current.decorate(type, named: name, file: file, line: line, wrap)
  }

  /// Wraps the instances of a type in the current container with an asynchronous closure, so that `resolveAsync` has to
  /// create them.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public static func decorate<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) async throws -> Value
  ) {
    current.decorate(type, named: name, file: file, line: line, wrap)
  }

  // MARK: With any label

  func decorate<Value>(
    _ label: Label, _ location: CodeLocation,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) throws -> Value
  ) {
    let call = withoutIsolation(wrap)
    decorate(label, location, wrap) { decorator in
      Factory { resolver, arguments, memory in
        let request = Request(Value.self, label, location, arguments, for: decorator)
        let inner: Value = try resolver.resolve { (container) throws(ResolutionError) in
          try container.resolve(request)
        }
        try memory.initialize { try call(inner, resolver) }
      }
    }
  }

  func decorate<Value>(
    _ label: Label, _ location: CodeLocation,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) async throws -> Value,
    synchronously makeFactory: ((Decorator) -> Factory)? = nil
  ) {
    let call = withoutIsolation(wrap)
    let decorator = Decorator(
      isolation: wrap.isolation, isDefault: isRegisteringDefaults, location: location
    ) { decorator, isAsync in
      if !isAsync, let makeFactory { return makeFactory(decorator) }
      return Factory(async: { resolver, arguments in
        var request = Request(Value.self, label, location, for: decorator)
        // In a box, because another requester may wait for the instance when this one has left.
        if let box = arguments.boxed { request = request.passing(box) }
        let inner: Value = try await resolver.resolveAsync { [request] in try await $0.resolveAsync(request) }
        return Box(try await call(inner, resolver))
      })
    }
    add(decorator, to: Value.self, label)
  }

  // MARK: From the registry

  /// Returns the answer to a key in containers that decorate it.
  ///
  /// - Parameters:
  ///   - found: The registration to decorate.
  ///   - containers: The containers, the innermost one last.
  ///   - request: The request. If a decorator has made it, the answer is what that one wraps.
  /// - Returns: The decorated registration and its container. nil if there was none yet: a change that came before it
  ///   was there did not see it, so the caller has to search again.
  func decorate(
    _ found: FoundRegistration, in containers: [DIContainer], for request: Request
  ) -> FoundRegistration? {
    var (found, needsSearch, isInner) = (found, false, false)
    for container in containers.reversed() where !isInner {
      let invalidation = Invalidation(tracksKeys: false)
      let answer = container.state.withLock { state -> Definition? in
        // They may have been removed in between.
        guard let decorators = state.registry.decorations[request.key]?.decorators else { return nil }
        let decorated = container.decorated(
          found.record, of: found.owner, request.key, decorators, in: &state, invalidation)
        if decorated.needsSearch { needsSearch = true }
        if decorated.definitions.isEmpty { return nil }
        guard let index = decorators.firstIndex(where: { $0 === request.decorator }) else {
          return decorated.definitions.last
        }
        isInner = true
        return index == 0 ? nil : decorated.definitions[index - 1]
      }
      container.propagate(invalidation)
      guard let answer else { continue }
      let record = Registry.Record(
        definition: answer, alias: -1, isDefault: found.record.isDefault, order: found.record.order)
      found = FoundRegistration(record: record, owner: container)
    }
    return needsSearch ? nil : found
  }
}
