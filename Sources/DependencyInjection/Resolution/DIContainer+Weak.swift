/// A reference that does not keep an instance alive.
private final class WeakReference {
  weak var object: AnyObject?

  /// The closures that box the instance again as its own type and as each alias.
  ///
  /// An element is nil for a type whose values are neither a reference nor an optional of one. A cast is not enough,
  /// because a conformance may be isolated to the actor on which the instance was created.
  let copies: [((AnyObject) -> Box)?]

  init(_ object: AnyObject, as boxes: [Box?]) {
    self.object = object
    copies = boxes.map { box in box.flatMap { Self.copy(of: object, as: $0) } }
  }

  private static func copy(of object: AnyObject, as box: Box) -> ((AnyObject) -> Box)? {
    if let optional = asOptional(box.type) {
      guard let wrapped = optional.unwrap(box), let copy = copy(of: object, as: wrapped) else { return nil }
      return { optional.wrap(copy($0)) }
    }
    func open<Value>(_: Value.Type) -> ((AnyObject) -> Box)? {
      var layout = CellLayout(box.value(as: Value.self))
      guard layout.kind == .reference, layout.object === object else { return nil }
      layout.object = nil
      return { [layout] in Box(layout.value(of: $0, as: Value.self)) }
    }
    return _openExistential(box.type, do: open)
  }
}

// The registry's references to instances that only other code keeps alive.

extension DIContainer {
  /// Returns the instance with a reference that does not keep it alive, or nil if it is an optional that is nil.
  func weaken(_ instance: Instance, _ request: Request) throws(ResolutionError) -> Instance? {
    guard let box = instance.box.unwrapped else { return nil }
    guard let object = box.object else { throw request.notAnObject(box, instance.definition) }
    return Instance(
      definition: instance.definition, box: Box(WeakReference(object, as: [instance.box] + instance.views)), views: [],
      dependencies: instance.dependencies)
  }

  /// Returns an instance as it was created, or nil if it is a `Weak` one that has been released.
  func revive(_ kept: Instance) -> Instance? {
    let definition = kept.definition
    switch definition.kind {
    case .shared, .scoped, .new, .perGraph: return kept
    case .weak: break
    }
    let reference = kept.box.value(as: WeakReference.self)
    guard let object = reference.object else { return nil }
    guard let box = reference.copies[0]?(object) ?? Box(object).cast(to: definition.type) else { return nil }
    let views = zip(definition.aliases, reference.copies.dropFirst()).map { $1?(object) ?? $0.view(of: box) }
    return Instance(definition: definition, box: box, views: views, dependencies: kept.dependencies)
  }
}
