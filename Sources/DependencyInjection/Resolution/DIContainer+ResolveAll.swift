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
    recordDependencies(onAll: type)
    let labels = labels(of: type)
    if labels.isEmpty, ResolutionObservation.isOn {
      report(Request(type, .none, CodeLocation(file: file, line: line)), nil, .failed, ofAll: type)
    }
    return labels.compactMap { label in
      // As an optional, because the type may have been unregistered meanwhile.
      resolve(label, file, line) as Value?
    }
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

  /// Returns the labels of a type's registrations, in their order.
  private func labels(of type: Any.Type) -> [Label] {
    visibleRecords { $0.type == type && $0.definition.label.declaration == nil }.map(\.definition.label)
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
    resolve { $0.resolveAll(type, file: file, line: line) }
  }
}
