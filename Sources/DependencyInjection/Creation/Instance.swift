/// An instance that several resolves get.
struct Instance: Sendable {
  let definition: Definition

  /// The instance, or a `WeakReference` to it while the registry holds an instance that it does not keep alive.
  let box: Box

  /// The instance as each of the registration's aliases; nil for one that it turned out not to conform to.
  let views: [Box?]

  var dependencies: Dependencies

  /// Its place among the instances that have been kept.
  var order: UInt64 = 0
}
