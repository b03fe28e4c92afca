/// The instances that are created once for everything that one outermost resolution creates.
final class Graph: Sendable {
  private struct State {
    var instances: [Key: Instance] = [:]
    var creations: [Key: TaskCreation] = [:]

    /// The number of running factories of the outermost resolution.
    var users = 0
  }

  /// The key of an instance.
  struct Key: Hashable {
    let definition: ObjectIdentifier

    /// The container that received the request, because each may have dependencies of its own.
    let container: ObjectIdentifier
  }

  private let state = Locked(State())

  /// The graph of the factory that the calling thread or task works for, or else of the thread's outermost factory; nil
  /// outside of all factories.
  static var current: Graph? { CreationContext.current?.graph ?? ThreadState.current.graph }

  func instance(_ key: Key) -> Instance? { state.withLock { $0.instances[key] } }

  /// Keeps an instance, unless there is one already, and returns the kept one.
  func keep(_ instance: Instance, _ key: Key) -> Instance {
    state.withLock { state in
      if let other = state.instances[key] { return other }
      state.instances[key] = instance
      return instance
    }
  }

  /// Returns `mine`, or the creation of another task, for an instance that does not exist yet.
  func claim(_ key: Key, _ mine: TaskCreation) -> TaskCreation {
    state.withLock { state in
      if let other = state.creations[key], !other.isAbandoned { return other }
      state.creations[key] = mine
      return mine
    }
  }

  /// Removes a finished creation.
  func forget(_ key: Key, _ creation: TaskCreation) {
    state.withLock { if $0.creations[key] === creation { $0.creations[key] = nil } }
  }

  /// Keeps the instances until the matching `end`.
  func begin() { state.withLock { $0.users += 1 } }

  /// Releases the instances, if no other factory uses them.
  func end() {
    let ended = state.withLock { state -> State? in
      state.users -= 1
      guard state.users == 0 else { return nil }
      defer { state = State() }
      return state
    }
    _ = consume ended
  }
}
