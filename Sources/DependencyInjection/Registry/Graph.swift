/// The instances that are created once for everything that one outermost resolution creates.
final class Graph: Sendable {
  private let instances = Locked<[Key: Entry]>([:])

  private struct Key: Hashable {
    let definition: ObjectIdentifier
    /// The container that received the request, because each may have dependencies of its own.
    let registry: ObjectIdentifier
    let arguments: Int
  }

  /// An instance, with the container and the registration, so that no others get their addresses.
  private struct Entry: Sendable {
    let registry: Registry
    let definition: Definition
    let records: [HiddenRecord]
  }

  /// Returns the records of a registration's instances for a container, one for each list of arguments; adds one if
  /// there are as many as given.
  func records(
    of definition: Definition, for registry: Registry, _ hash: Int, adding new: HiddenRecord?, after count: Int
  )
    -> [HiddenRecord]
  {
    let key = Key(definition: ObjectIdentifier(definition), registry: ObjectIdentifier(registry), arguments: hash)
    return instances.withLock { instances in
      let records = instances[key]?.records ?? []
      guard let new, records.count == count else { return records }
      instances[key] = Entry(registry: registry, definition: definition, records: records + [new])
      return records + [new]
    }
  }

  /// Decides about a request for an instance.
  func step(_ definition: Definition, at place: RecordPlace, _ makeCreation: () -> Creation?) -> Step {
    var former = Record.none
    return instances.withLock { _ in place.step(definition, into: nil, &former, makeCreation) }
  }

  /// Ends a creation.
  func finish(_ creation: Creation, at place: RecordPlace, _ value: CreatedValue?, _ failure: (any Error)?) {
    let isStored = instances.withLock { _ in place.store(value, of: creation, isKept: true) }
    if case .instance(let instance)? = value, !isStored {
      creation.end(failure, instance: instance)
    } else {
      creation.end(failure)
    }
  }
}
