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
  @usableFromInline
  let definition: Definition

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

  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  @inlinable
  public func add(to list: inout RegistrationList) {
    list.add(definition)
  }
}
