internal import DependencyInjection

/// A value of a test that overrides a registration.
class OverridingObject: @unchecked Sendable {
  // Unchecked: `registration` is set before another thread can have this, and `successor` at the end of the test, by its thread
  // alone. The lock guards the reference, and the test knows the threads that use the object.

  /// The value, if it is an object.
  fileprivate let object: Locked<AnyObject?>

  /// The registration with the value.
  var registration: ObjectIdentifier?

  /// The container that is current when the object goes, because its `deinit` may resolve; nil as long as the test runs,
  /// whose container is current then.
  var successor: DIContainer?

  let type: Any.Type
  let location: CodeLocation

  /// The container that has the override: of a copied chain, that on top.
  private weak let registry: Registry?

  fileprivate init(_ object: AnyObject?, _ type: Any.Type, _ location: CodeLocation, in registry: Registry) {
    (self.type, self.location, self.registry) = (type, location, registry)
    self.object = Locked(object)
  }

  deinit {
    guard let successor else { return }
    DIContainer.withCurrent(successor) {
      let released = object.withLock { $0.take() }
      _ = consume released
    }
  }

  /// Lets the unread lazy properties of the object keep the container no longer that keeps the object, unless other code has
  /// the object.
  func releaseLazyProperties() {
    object.withLock { object in
      // As an optional: a debug build of Swift 6.3 answers false for any `AnyObject`.
      if isKnownUniquelyReferenced(&object), let object { registry?.releaseLazyProperties(of: object) }
    }
  }

  /// Returns a weak reference to the object.
  var weakObject: WeakReference<AnyObject> { WeakReference(object.withLock { $0 }) }
}

/// A reference that does not keep its object.
struct WeakReference<Object: AnyObject> {
  private(set) weak var object: Object?

  init(_ object: Object?) { self.object = object }
}

/// The same with a type.
final class OverridingValue<Value>: OverridingObject, @unchecked Sendable {
  // Unchecked: every resolution returns the same value, which the test wants of its mock, and it knows the threads that use it.

  /// The value, if it is no object.
  private let value: Value?

  /// The bytes of the value, if it is an object: the reference to it, and the conformances by which it is the value.
  private let bytes: [UInt8]

  init(_ value: Value, _ location: CodeLocation, in registry: Registry) {
    let type = Swift.type(of: value as Any)
    // An `any Error` refers to a box, which has the error.
    let isObject = type is AnyClass && wrappedType(of: Value.self) != (any Error).self
    self.value = isObject ? nil : value
    bytes = isObject ? unsafe withUnsafeBytes(of: value) { unsafe Array($0) } : []
    super.init(isObject ? value as AnyObject : nil, type, location, in: registry)
  }

  /// Returns the value.
  func get() -> Value {
    // Not by a cast, which fails off the actor of the test if the conformance is isolated to that actor.
    value
      ?? object.withLock { object in
        // Sound: loading the bytes retains the object, which is alive here. The memory of an array is aligned for any value.
        withExtendedLifetime(object) { unsafe bytes.withUnsafeBytes { unsafe $0.load(as: Value.self) } }
      }
  }
}
