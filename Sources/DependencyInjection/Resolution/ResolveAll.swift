extension DIContainer {
  /// Resolves every registration of a type, with names and without, or traps with the text of the ``ResolutionError``.
  ///
  /// For each name, the newest registration counts, at the position of the first one. Registrations of ancestors come
  /// first, unless they are shadowed. A ``Dependency`` is not included. An instance that has to be created
  /// asynchronously must exist already.
  ///
  /// The cost is O(n) in the number of registrations. Each registration is resolved separately. Outside of a factory,
  /// each is therefore a graph of its own for ``PerGraph`` registrations.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  public func resolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) -> [Value] {
    resolver.resolveAll(type, file: file, line: line)
  }

  /// Resolves every registration of a type, with names and without, or throws.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  /// - Throws: ``ResolutionError`` where ``resolveAll(_:file:line:)-method`` would trap: of the first registration that
  ///   fails.
  public func tryResolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> [Value] {
    try resolver.tryResolveAll(type, file: file, line: line)
  }

  /// Resolves every registration of a type from the current container, with names and without, or traps with the text
  /// of the ``ResolutionError``.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  public static func resolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) -> [Value] {
    current.resolveAll(type, file: file, line: line)
  }

  /// Resolves every registration of a type from the current container, with names and without, or throws.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  /// - Throws: The errors of ``tryResolveAll(_:file:line:)-method``.
  public static func tryResolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> [Value] {
    try current.tryResolveAll(type, file: file, line: line)
  }
}

extension Resolver {
  /// Resolves every registration of a type, with names and without, or traps with the text of the ``ResolutionError``.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  public func resolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) -> [Value] {
    // As optionals, because the type may have been unregistered meanwhile.
    labels(of: type, CodeLocation(file: file, line: line)).compactMap { resolve($0, file, line) as Value? }
  }

  /// Resolves every registration of a type, with names and without, or throws.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  /// - Throws: The errors of ``DIContainer/tryResolveAll(_:file:line:)-method``.
  public func tryResolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> [Value] {
    var all: [Value] = []
    for label in labels(of: type, CodeLocation(file: file, line: line)) {
      let next: Value? = try tryResolve(label, passing: (), file, line)
      if let next { all.append(next) }
    }
    return all
  }

  /// Returns the labels of a type's registrations, in their order.
  private func labels(of type: Any.Type, _ location: CodeLocation) -> [Label] {
    if registry.root === Registry.shared { AppRegistration.ensure() }
    let labels = registry.visible.compactMap { key, definition -> Label? in
      definition.isOfDependency || Key(type, definition.label).word != key ? nil : definition.label
    }
    if labels.isEmpty { Request(type, .none, location, from: self).report(nil, .failed, ofAll: type) }
    return labels
  }
}
