// The removal of registrations and instances. For scopes, see `DIContainer+Scopes.swift`.

extension DIContainer {
  /// Removes the registration and the decorators of a type, and releases the instance unless an alias of it is still
  /// registered.
  ///
  /// A parent's registration of the type becomes visible again.
  ///
  /// - Parameters:
  ///   - type: The registered type.
  ///   - name: The name that it is registered with, if any.
  public func unregister<Value>(_ type: Value.Type, named name: DependencyName? = nil) {
    remove(Key(type, Label(name)))
  }

  /// Releases the instance that this container keeps for a type, and keeps the registration.
  ///
  /// The next resolution creates a new instance.
  ///
  /// The requesters of an instance whose creation is in progress get the instance, and the container does not keep it.
  /// An instance of an ancestor stays with the ancestor.
  ///
  /// - Parameters:
  ///   - type: A type under which the instance is registered.
  ///   - name: The name that it is registered with, if any.
  public func reset<Value>(_ type: Value.Type, named name: DependencyName? = nil) {
    dropInstance(of: Key(type, Label(name)))
  }

  /// Releases the instances of this container and keeps its registrations.
  ///
  /// The next resolutions create new instances. The requesters of an instance whose creation is in progress get the
  /// instance, and the container does not keep it.
  public func reset() {
    replaceRegistry { $0.instances = [:] }
  }

  /// Removes the registrations of this container, including those of ``DependencyRegistering``, and releases its
  /// instances.
  ///
  /// A declared ``Dependency`` stays available, without overrides.
  public func removeAll() {
    setRegistry(Registry(defaults: .none))
  }

  /// Removes the registration and the decorators of a type from the current container.
  ///
  /// - Parameters:
  ///   - type: The registered type.
  ///   - name: The name that it is registered with, if any.
  public static func unregister<Value>(_ type: Value.Type, named name: DependencyName? = nil) {
    current.unregister(type, named: name)
  }

  /// Releases the instance that the current container keeps for a type, and keeps the registration.
  ///
  /// - Parameters:
  ///   - type: A type under which the instance is registered.
  ///   - name: The name that it is registered with, if any.
  public static func reset<Value>(_ type: Value.Type, named name: DependencyName? = nil) {
    current.reset(type, named: name)
  }

  /// Releases the instances of the current container and keeps its registrations.
  public static func reset() {
    current.reset()
  }

  /// Removes the registrations of the current container and releases its instances.
  public static func removeAll() {
    current.removeAll()
  }
}
