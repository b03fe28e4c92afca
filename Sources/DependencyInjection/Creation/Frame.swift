/// One running factory: an entry of the path to the requested instance.
///
/// Frames are on the stack of the thread that runs the factories, and link to the next outer one.
@safe
struct Frame {
  /// The frame of the factory that requested this one.
  let parent: StablePointer<Frame>?

  /// The number of outer frames.
  private let depth: UInt

  /// The requested type.
  let type: Any.Type

  /// The container that calls the factory.
  private let container: ObjectIdentifier

  /// The registration of the factory; the function that owns the frame keeps it alive.
  private let unmanagedDefinition: Unmanaged<Definition>

  init(parent: StablePointer<Frame>?, _ definition: Definition, for type: Any.Type, in container: ObjectIdentifier) {
    self.container = container
    self.parent = parent
    depth = parent.map { $0.pointee.depth &+ 1 } ?? 0
    self.type = type
    unsafe unmanagedDefinition = Unmanaged.passUnretained(definition)
  }

  /// The registration of the factory.
  var definition: Definition { unsafe unmanagedDefinition.takeUnretainedValue() }

  /// The number of frames from one search for a cycle to the next: no factory in a cycle runs twice as often as this.
  static var cycleStep: UInt { 4 }

  /// A Boolean value that indicates whether to look for a cycle here.
  var mayCloseCycle: Bool { depth & (Self.cycleStep - 1) == Self.cycleStep - 1 }

  /// A Boolean value that indicates whether the factory leads back to itself again and again.
  ///
  /// A factory may lead back to itself twice, if that ends then. A factory with arguments may do so any number of
  /// times, and so may the factories between two calls of it. So may a factory in one container after another, as each
  /// may register something else.
  var closesCycle: Bool {
    // First without a look at the registrations, because nearly always there is no cycle.
    var (next, returns) = (parent, 0)
    while let other = next {
      if unsafe other.pointee.unmanagedDefinition.toOpaque() == unmanagedDefinition.toOpaque() { returns += 1 }
      next = other.pointee.parent
    }
    if returns < 3 || definition.takesArguments { return false }
    (next, returns) = (parent, 0)
    while let other = next?.pointee, !other.definition.takesArguments {
      if other.definition === definition, other.container == container { returns += 1 }
      if returns == 3 { return true }
      next = other.parent
    }
    return false
  }
}
