/// The registration of a key, and its instance.
///
/// The instance of a registration is published in the cell of its key, if it has one key only. An instance with aliases,
/// one of several for each argument or container, and one that is not kept alive are in the record.
enum Record {
  /// Nothing is registered.
  case none
  /// The registration; its instance is published, or does not exist.
  case registered(Definition)
  /// The creation of its instance that is in progress.
  case creating(Creation)
  /// Its instance.
  case created(Instance)

  /// The registration.
  var definition: Definition? {
    switch self {
    case .none: nil
    case .registered(let definition): definition
    case .creating(let creation): creation.definition
    case .created(let instance): instance.definition
    }
  }
}

/// An instance that several resolutions return.
final class Instance: @unchecked Sendable {
  // Unchecked: immutable. The registration decides whether threads may share the instance.

  let definition: Definition
  /// The instance, or a `WeakReference` to it.
  let box: Box
  /// The instance as each of the registration's aliases; nil for one to which it does not conform.
  let views: [Box?]

  init(_ definition: Definition, _ box: Box, views: [Box?]? = nil) {
    self.definition = definition
    self.box = box
    // Converted here where it is created: a conformance may be isolated to this actor.
    self.views = views ?? definition.aliases.map { $0.view(of: box) }
  }

  /// Returns the instance as the type of a key, or nil if it does not conform to that.
  func view(at key: Key) -> Box? {
    let index = definition.aliases.firstIndex { Key($0.type, definition.label) == key }
    return index.map { views[$0] } ?? box
  }
}

/// A record to which no key leads.
final class HiddenRecord: @unchecked Sendable {
  // Unchecked: the arguments are immutable, and the lock of the container guards the record.

  /// The arguments of which it is the instance, if there is one instance for each list.
  let arguments: [AnyHashable]
  var record: Record

  init(_ definition: Definition, _ arguments: [AnyHashable]) {
    self.arguments = arguments
    record = .registered(definition)
  }
}

/// The place of a record.
enum RecordPlace {
  case cell(CellPointer)
  case hidden(HiddenRecord)

  var record: Record {
    get {
      switch self {
      case .cell(let cell): cell.pointee.record
      case .hidden(let hidden): hidden.record
      }
    }
    nonmutating set {
      switch self {
      case .cell(let cell): cell.pointee.record = newValue
      case .hidden(let hidden): hidden.record = newValue
      }
    }
  }
}

/// The decision about a request for an instance that is created once.
enum Step {
  /// The instance was copied into memory.
  case copied
  /// Here is the instance, and the object of a `Weak` one.
  case found(Instance, AnyObject?)
  /// This creation is the requester's.
  case create(Creation)
  /// Another thread or task creates the instance.
  case wait(Creation)
  /// There is no instance, and the requester cannot create one.
  case blocked
  /// The registration has been replaced.
  case outdated
}

extension RecordPlace {
  /// Decides about a request; under the lock that guards the record.
  ///
  /// - Parameters:
  ///   - definition: The registration that was found.
  ///   - memory: The memory for a published instance.
  ///   - former: Set to a record that has to be released without the lock.
  ///   - makeCreation: Returns the creation with which the requester creates the instance; nil if it cannot.
  /// - Returns: The decision.
  func step(
    _ definition: Definition, into memory: InstanceMemory?, _ former: inout Record, _ makeCreation: () -> Creation?
  ) -> Step {
    let record = record
    guard record.definition === definition else { return .outdated }
    switch record {
    case .none: return .outdated
    case .registered:
      if case .cell(let cell) = self, let memory, cell.pointee.take(into: memory) { return .copied }
    case .creating(let creation):
      if !creation.isAbandoned { return .wait(creation) }
    case .created(let instance):
      if instance.definition.lifetime.kind != .weak { return .found(instance, nil) }
      if let object = instance.weakObject { return .found(instance, object) }
    }
    guard let creation = makeCreation() else { return .blocked }
    former = record
    self.record = .creating(creation)
    return .create(creation)
  }

  /// Ends a creation: stores its instance, unless the registration was replaced or reset meanwhile.
  ///
  /// - Parameters:
  ///   - result: What was created; nil if nothing was.
  ///   - creation: The creation.
  ///   - isKept: A Boolean value that indicates whether the container still keeps instances.
  /// - Returns: A Boolean value that indicates whether the instance is stored.
  func store(_ result: CreatedValue?, of creation: Creation, isKept: Bool) -> Bool {
    guard case .creating(let current) = record, current === creation, let definition = creation.definition else {
      return false
    }
    record = .registered(definition)
    guard isKept, let result else { return false }
    switch (result, self) {
    case (.memory(let memory), .cell(let cell)): cell.pointee.publish(definition.type, copying: memory)
    case (.instance(let instance), _): record = .created(instance)
    case (.memory, .hidden): return false
    }
    return true
  }
}

/// An instance that a factory has just created.
enum CreatedValue {
  /// A value in memory, for the cell of the only key.
  case memory(InstanceMemory)
  case instance(Instance)
}
