/// One running factory: an entry of the path to the requested instance.
///
/// Frames are on the stack of the thread that runs the factories, and link to the next outer one.
@safe
struct Frame {
  /// The frame of the factory that requested this one.
  let parent: UnsafeMutablePointer<Frame>?

  /// The requested type.
  let type: Any.Type

  /// The registration of the factory; the function that owns the frame keeps it alive.
  private let unmanagedDefinition: Unmanaged<Definition>

  init(parent: UnsafeMutablePointer<Frame>?, _ definition: Definition, for type: Any.Type) {
    unsafe self.parent = parent
    self.type = type
    unsafe unmanagedDefinition = Unmanaged.passUnretained(definition)
  }

  /// The registration of the factory.
  var definition: Definition { unsafe unmanagedDefinition.takeUnretainedValue() }

  /// A Boolean value that indicates whether the factory leads back to itself again and again.
  ///
  /// A factory may lead back to itself twice, if that ends then. A factory with arguments may do so any number of
  /// times, and so may the factories between two calls of it.
  var isCycle: Bool {
    if definition.takesArguments { return false }
    var (next, returns) = unsafe (parent, 0)
    while let other = unsafe next?.pointee, !other.definition.takesArguments {
      if other.definition === definition { returns += 1 }
      if returns == 3 { return true }
      unsafe next = other.parent
    }
    return false
  }
}
