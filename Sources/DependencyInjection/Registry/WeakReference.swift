/// A reference that does not keep an instance alive.
private final class WeakReference {
  weak var object: AnyObject?
  /// The representations of the instance as its own type and as each alias.
  ///
  /// An element is nil for a type whose values are neither a reference nor an optional of one. A cast is not enough,
  /// because a conformance may be isolated to the actor on which the instance was created.
  let views: [((AnyObject) -> Box)?]

  init(_ object: AnyObject, as boxes: [Box?]) {
    self.object = object
    views = boxes.map { box in box.flatMap { Self.view(of: object, as: $0) } }
  }

  private static func view(of object: AnyObject, as box: Box) -> ((AnyObject) -> Box)? {
    if let optional = asOptional(box.type) {
      guard let wrapped = optional.unwrap(box), let view = view(of: object, as: wrapped) else { return nil }
      return { optional.wrap(view($0)) }
    }
    guard let layout = ReferenceLayout(of: box.type, box.memory), unsafe layout.object === object else { return nil }
    return { [type = box.type] in layout.box($0, as: type) }
  }
}

extension Instance {
  /// The instance with a reference that does not keep it alive; nil if it is no instance of a class.
  var weakened: Instance? {
    guard let object = box.unwrapped?.object else { return nil }
    return Instance(definition, Box(WeakReference(object, as: [box] + views)), views: [])
  }

  /// The instance as it was created; nil if it is a `Weak` one that has been released.
  var revived: Instance? {
    if definition.lifetime.kind != .weak { return self }
    return weakObject.flatMap(revived)
  }

  /// The object of a `Weak` instance; nil if it has been released.
  var weakObject: AnyObject? { box.value(as: WeakReference.self).object }

  /// Returns a `Weak` instance as it was created; never under a lock, because a cast to an alias may be the user's.
  func revived(_ object: AnyObject) -> Instance? {
    let reference = box.value(as: WeakReference.self)
    guard let box = reference.views[0]?(object) ?? Box(object).cast(to: definition.type) else { return nil }
    let views = zip(definition.aliases, reference.views.dropFirst()).map { $1?(object) ?? $0.view(of: box) }
    return Instance(definition, box, views: views)
  }
}
