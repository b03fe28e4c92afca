// The resolution of `PerGraph` registrations.

extension DIContainer {
  /// Returns the key of a registration's instance in a graph that is resolved from this container.
  func graphKey(_ definition: Definition) -> Graph.Key {
    Graph.Key(definition: ObjectIdentifier(definition), container: ObjectIdentifier(self))
  }

  /// Returns the instance of a registration in the current graph, created if needed.
  ///
  /// Without a factory around it, the instance is a graph of its own.
  ///
  /// - Returns: The instance, and whether this call created it.
  func graphInstance(of definition: Definition, _ request: Request) throws(ResolutionError) -> ObtainedInstance {
    let (key, graph) = (graphKey(definition), Graph.current)
    if let instance = graph?.instance(key) { return (instance, false) }
    let instance = try createRecording(definition, request)
    return (graph?.keep(instance, key) ?? instance, true)
  }
}
