// How a `PerGraph` registration is resolved.

extension DIContainer {
  /// What an instance of a registration is found by in a graph that is resolved from here.
  func graphKey(_ definition: Definition) -> Graph.Key {
    Graph.Key(definition: ObjectIdentifier(definition), container: ObjectIdentifier(self))
  }

  /// The instance of a registration in the graph of what is being created, created if need be.
  ///
  /// Without a factory around it, it is a graph of its own.
  ///
  /// - Returns: The instance, and whether this call created it.
  func graphInstance(of definition: Definition, _ request: Request) throws(ResolutionError) -> ObtainedInstance {
    let (key, graph) = (graphKey(definition), Graph.current)
    if let instance = graph?.instance(key) { return (instance, false) }
    let instance = try createRecording(definition, request)
    return (graph?.keep(instance, key) ?? instance, true)
  }
}
