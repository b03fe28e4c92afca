/// One factory that is running: an entry of the path that leads to what is being resolved.
///
/// Frames live on the stack of the thread that runs the factories and link to the one outside them.
@safe
struct Frame {
  /// The frame of the factory that asked for this one.
  let parent: UnsafeMutablePointer<Frame>?

  /// The type that was asked for.
  let type: Any.Type

  /// The registration whose factory runs; the function that owns the frame keeps it alive.
  private let unmanagedDefinition: Unmanaged<Definition>

  init(parent: UnsafeMutablePointer<Frame>?, _ definition: Definition, for type: Any.Type) {
    unsafe self.parent = parent
    self.type = type
    unsafe unmanagedDefinition = Unmanaged.passUnretained(definition)
  }

  /// The registration whose factory runs.
  var definition: Definition { unsafe unmanagedDefinition.takeUnretainedValue() }

  /// A Boolean value that indicates whether the factory leads back to itself again and again.
  ///
  /// A factory may lead back to itself twice, if that ends there. A factory with arguments may do so any number of times,
  /// and so may the factories between two of those.
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
