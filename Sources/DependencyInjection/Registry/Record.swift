/// The record of an instance that a key alone does not identify.
///
/// An instance has a record if its registration has several keys, creates one instance for each list of arguments or
/// for each container, or is wrapped by a decorator. An instance of a graph has one, too. The state of any other
/// instance is in the cell of its key.
final class Record: @unchecked Sendable {
  // Unchecked: the lock of the container for which the instance is created guards what changes.

  let definition: Definition
  /// The arguments that the instance is for, if there is one instance for each list.
  let arguments: [AnyHashable]
  @safe @exclusivity(unchecked)
  var state = State.empty

  /// The state of an instance: nothing yet, a creation in progress, or the created instance.
  enum State {
    case empty
    /// The creation in progress.
    case creating(Creation)
    /// The instance.
    case created(Box)
    /// The instance of a `Weak` registration, which may have been released.
    case createdWeak(WeakReference)
    /// The registration was replaced or reset: the requester searches again.
    case obsolete
  }

  init(_ definition: Definition, _ arguments: [AnyHashable]) {
    (self.definition, self.arguments) = (definition, arguments)
  }

  /// The key of records in a dictionary: the identity of the registration, and a hash of the arguments.
  struct Key: Hashable {
    let definition: ObjectIdentifier
    private let arguments: Int

    init(_ definition: Definition, _ arguments: [AnyHashable] = []) {
      self.definition = ObjectIdentifier(definition)
      self.arguments = arguments.isEmpty ? 0 : arguments.hashValue
    }
  }

  /// Returns the record for a list of arguments, adding one if there is none.
  ///
  /// Comparing arguments runs their own code, so no lock is held meanwhile.
  ///
  /// - Parameters:
  ///   - definition: The registration.
  ///   - arguments: The arguments.
  ///   - records: A closure that adds a record if there are still as many as given, and returns all that there are.
  /// - Returns: The record.
  static func find(
    _ definition: Definition, _ arguments: [AnyHashable], in records: (Record?, Int) -> [Record]
  ) -> Record {
    var (new, present) = (nil as Record?, records(nil, 0))
    while true {
      // A list with a NaN is not equal to itself.
      if let found = present.first(where: { $0 === new || $0.arguments == arguments }) { return found }
      new = Record(definition, arguments)
      present = records(new, present.count)
    }
  }
}

extension Box {
  /// Returns the instance as the type of a key, or nil if it does not conform to that.
  func view(at key: Key, of definition: Definition) -> Box? {
    if definition.hasOneKey { return self }
    let index = definition.aliases.firstIndex { Key($0.type, definition.label) == key }
    return index.map { views[$0] } ?? self
  }
}

/// The next step of a request for an instance that is created once.
enum Step {
  case found(Box)
  /// The object of a `Weak` instance that exists.
  case foundWeak(WeakReference, AnyObject)
  /// There is no instance: the requester creates it, if it passed a creation.
  case missing
  /// Another thread or task creates the instance.
  case wait(Creation)
}

// MARK: - Under the lock

extension Record.State {
  /// The next step toward the instance; nil if the registration was replaced or reset.
  @inline(__always)
  var step: Step? {
    switch self {
    case .empty: break
    case .created(let instance): return .found(instance)
    case .createdWeak(let reference): if let object = reference.object { return .foundWeak(reference, object) }
    case .creating(let creation): if !creation.isAbandoned { return .wait(creation) }
    case .obsolete: return nil
    }
    return .missing
  }

  /// Returns a Boolean value that indicates whether a creation is still the one in progress.
  ///
  /// It is not if the registration was replaced or reset, or if another creation began because this one was abandoned.
  func isCreating(_ creation: Creation) -> Bool {
    if case .creating(let present) = self { present === creation } else { false }
  }

  /// Returns a Boolean value that indicates whether an instance is the created one.
  func has(_ instance: Box) -> Bool { if case .created(let present) = self { present === instance } else { false } }

  /// A Boolean value that indicates whether the instance was created; a `Weak` one may have been released since.
  var isCreated: Bool {
    switch self {
    case .created, .createdWeak: true
    case .empty, .creating, .obsolete: false
    }
  }
}

/// The instances that are created once for everything that one outermost resolution creates.
///
/// The records are grouped by the number of the container that received the request, because each container may have
/// dependencies of its own.
typealias Graph = Locked<[Int: [Record.Key: [Record]]]>

extension Graph {
  /// Returns the record of a registration's instance for a container and a list of arguments.
  func record(of definition: Definition, for registry: Registry, _ arguments: [AnyHashable]) -> Record {
    let key = Record.Key(definition, arguments)
    return Record.find(definition, arguments) { new, count in
      withLock { all in
        let present = all[registry.number]?[key] ?? []
        guard let new, present.count == count else { return present }
        all[registry.number, default: [:]][key] = present + [new]
        return present + [new]
      }
    }
  }
}

/// What keeps an instance: a container, or the graph of one outermost resolution.
enum Keeper {
  case container
  case graph(Graph)
}

/// A reference that does not keep an instance alive.
final class WeakReference: @unchecked Sendable {
  // Unchecked: immutable.
  weak let object: AnyObject?
  /// The representations of the instance as its own type and as each alias.
  ///
  /// An element is nil for a type whose values are neither a reference nor an optional of one. A cast is not enough,
  /// because a conformance may be isolated to the actor on which the instance was created.
  private let views: [((AnyObject) -> Box)?]

  /// Creates a reference; nil if the instance is not an instance of a class.
  init?(_ instance: Box) {
    guard let object = instance.unwrapped?.object else { return nil }
    self.object = object
    views = ([instance] + instance.views).map { box in box.flatMap { Self.view(of: object, as: $0) } }
  }

  private static func view(of object: AnyObject, as box: Box) -> ((AnyObject) -> Box)? {
    if let optional = asOptional(box.type) {
      guard let wrapped = optional.unwrap(box), let view = view(of: object, as: wrapped) else { return nil }
      return { optional.wrap(view($0)) }
    }
    guard let layout = ReferenceLayout(of: box, layout(of: box.type)), layout.object.address == Unowned(object).address
    else { return nil }
    return { [type = box.type] in layout.box($0, as: type) }
  }

  /// Returns the instance as it was created, except for aliases whose values are not references.
  ///
  /// It must not be called under a lock, because a cast may run the user's code.
  func instance(_ object: AnyObject, of definition: Definition) -> Box? {
    guard let box = views[0]?(object) ?? Box(object).cast(to: definition.type) else { return nil }
    box.views = views.dropFirst().map { $0?(object) }
    return box
  }
}
