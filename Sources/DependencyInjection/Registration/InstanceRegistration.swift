/// A registration of one instance or factory, with the initializers that all such registrations share.
///
/// ``Shared``, ``New``, ``Weak``, and ``PerGraph`` conform to it. An app's own types do not. The initializers differ in
/// their first parameter: an expression, a closure with or without a ``Resolver``, a closure with arguments, or an
/// initializer.
public protocol InstanceRegistration: Registration {
  /// The lifetime of an instance.
  static var lifetime: Lifetime { get }

  /// Creates the registration.
  ///
  /// - Parameter definition: Everything about the registration, from one of the other initializers.
  @_documentation(visibility: internal)
  init(_ definition: Definition)

  /// Everything about the registration.
  @_documentation(visibility: internal)
  var definition: Definition { get }
}

extension InstanceRegistration {
  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  @inlinable
  public func add(to list: inout RegistrationList) {
    list.add(definition)
  }
}

/// A registration of one instance, which the first resolution creates and every resolution returns.
///
/// ```swift
/// DIContainer.register {
///   Shared(AppConfigurationImpl() as AppConfiguration)
///   Shared { resolve in RouterImpl(config: resolve()) as Router }
/// }
/// ```
///
/// The instance is created exactly once, however many threads request it at the same time. While a slow factory runs,
/// only the requesters of the same registration wait. Every thread gets the same instance, even if its type is not
/// `Sendable`. The compiler cannot check that, so a type that is resolved on more than one thread must be safe to use
/// there. Make it an actor or a `Sendable` class, or isolate it with ``init(onMain:as:named:file:line:)``.
@frozen
public struct Shared: InstanceRegistration {
  /// Everything about the registration.
  @_documentation(visibility: internal)
  public let definition: Definition

  /// The lifetime of an instance.
  @inlinable
  public static var lifetime: Lifetime { .shared }

  /// Creates the registration; the other initializers call this one.
  ///
  /// - Parameter definition: Everything about the registration.
  @_documentation(visibility: internal)
  @inlinable
  public init(_ definition: Definition) {
    self.definition = definition
  }
}

/// A registration of a factory that every resolution calls, so each resolution gets an instance of its own.
///
/// ```swift
/// DIContainer.register {
///   New(MockRouter() as Router)
///   New { _, id in ConcreteViewModel(id: id) as ViewModel }
/// }
/// ```
@frozen
public struct New: InstanceRegistration {
  /// Everything about the registration.
  @_documentation(visibility: internal)
  public let definition: Definition

  /// The lifetime of an instance.
  @inlinable
  public static var lifetime: Lifetime { .new }

  /// Creates the registration; the other initializers call this one.
  ///
  /// - Parameter definition: Everything about the registration.
  @_documentation(visibility: internal)
  @inlinable
  public init(_ definition: Definition) {
    self.definition = definition
  }
}

/// A registration of an instance that lives as long as any code holds it.
///
/// ```swift
/// DIContainer.register(Weak(ImageCache() as Cache))
/// ```
///
/// As long as the instance lives, every resolution returns it. The first resolution after its release creates another
/// one, exactly once. The instance must be an instance of a class; resolving anything else is an error.
///
/// A parent and its child may refer to each other without a leak. Create the child first, and let the factory of the parent
/// set the back reference, which is a `weak var`:
///
/// ```swift
/// DIContainer.register {
///   New(Document())
///   Weak { resolve in
///     let folder = Folder(document: resolve())
///     folder.document.folder = folder
///     return folder
///   }
/// }
/// ```
@frozen
public struct Weak: InstanceRegistration {
  /// Everything about the registration.
  @_documentation(visibility: internal)
  public let definition: Definition

  /// The lifetime of an instance.
  @inlinable
  public static var lifetime: Lifetime { .weak }

  /// Creates the registration; the other initializers call this one.
  ///
  /// - Parameter definition: Everything about the registration.
  @_documentation(visibility: internal)
  @inlinable
  public init(_ definition: Definition) {
    self.definition = definition
  }
}

/// A registration of a factory that is called once for everything that one resolution creates.
///
/// ```swift
/// DIContainer.register {
///   PerGraph { resolve in Session() as Session }
///   New { resolve in Screen(header: resolve(), list: resolve()) }  // both get the same session, and no other screen
/// }
/// ```
///
/// The graph consists of everything that the outermost resolution of a thread creates on that thread, or that the
/// outermost asynchronous factory creates, in its tasks as well. After that, the graph releases its instances; an
/// instance lives on only if other code holds it. If an instance resolves something later, lazily, that begins another
/// graph.
@frozen
public struct PerGraph: InstanceRegistration {
  /// Everything about the registration.
  @_documentation(visibility: internal)
  public let definition: Definition

  /// The lifetime of an instance.
  @inlinable
  public static var lifetime: Lifetime { .perGraph }

  /// Creates the registration; the other initializers call this one.
  ///
  /// - Parameter definition: Everything about the registration.
  @_documentation(visibility: internal)
  @inlinable
  public init(_ definition: Definition) {
    self.definition = definition
  }
}
