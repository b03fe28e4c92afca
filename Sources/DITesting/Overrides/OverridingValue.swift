internal import DependencyInjection

/// A value with which a test overrides a registration.
class OverridingObject: @unchecked Sendable {
  // Unchecked: `registration` is set before another thread can see this object, and `successor` at the end of the test,
  // by the test's thread. The lock guards the reference, and the test knows which threads use the object.

  /// The value, if it is an object.
  fileprivate let object: Locked<AnyObject?>

  /// The registration with the value.
  var registration: ObjectIdentifier?

  /// The container that is current when the object is released, because its `deinit` may resolve; nil while the test
  /// runs, whose own container is current then.
  var successor: DIContainer?

  let type: Any.Type
  let location: CodeLocation

  /// The container that has the override; in a copied chain, the topmost one.
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

  /// Makes the unread lazy properties of the object release the container, which keeps the object, unless other code
  /// keeps the object.
  func releaseLazyProperties() {
    object.withLock { object in
      // An optional, because a debug build of Swift 6.3 returns false for any `AnyObject`.
      if isKnownUniquelyReferenced(&object), let object { registry?.releaseLazyProperties(of: object) }
    }
  }

  /// Returns a weak reference to the object.
  var weakObject: WeakReference<AnyObject> { WeakReference(object.withLock { $0 }) }
}

/// A weak reference.
struct WeakReference<Object: AnyObject> {
  private(set) weak var object: Object?

  init(_ object: Object?) { self.object = object }
}

/// A value of a known type with which a test overrides a registration.
final class OverridingValue<Value>: OverridingObject, @unchecked Sendable {
  // Unchecked: every resolution returns the same value, as the test intends, and the test knows which threads use it.

  /// The value, if it is not an object.
  private let value: Value?

  /// The bytes of the value, if it is an object: the reference to it, and its conformances to the protocols of `Value`.
  private let bytes: [UInt8]

  init(_ value: Value, _ location: CodeLocation, in registry: Registry) {
    func unwrap<Wrapped>(to _: Wrapped.Type) -> Any { value as? Wrapped ?? value as Any }
    let wrapped = wrappedType(of: Value.self)
    let content = _openExistential(wrapped, do: unwrap)
    let type = Swift.type(of: content)
    // An `any Error` refers to a box, which contains the error.
    let isObject = type is AnyClass && wrapped != (any Error).self
    self.value = isObject ? nil : value
    bytes = isObject ? unsafe withUnsafeBytes(of: value) { unsafe Array($0) } : []
    super.init(isObject ? content as AnyObject : nil, type, location, in: registry)
  }

  /// Returns the value.
  func get() -> Value {
    // Not with a cast, which fails off the test's actor if the conformance is isolated to that actor.
    value
      ?? object.withLock { object in
        // Sound: loading the bytes retains the object, which is alive here. An array's memory is aligned for any value.
        withExtendedLifetime(object) { unsafe bytes.withUnsafeBytes { unsafe $0.load(as: Value.self) } }
      }
  }
}
