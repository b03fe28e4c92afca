/// One factory that is running: an entry of the path that leads to what is being resolved.
///
/// Frames live on the stack of the thread that runs the factories and link to the one outside them.
@safe
@usableFromInline
struct Frame {
  /// The frame of the factory that asked for this one.
  @usableFromInline
  let parent: UnsafeMutablePointer<Frame>?

  /// The type that was asked for, if it is not the registration's own.
  @usableFromInline
  let asked: Any.Type?

  /// The registration whose factory runs.
  ///
  /// The function that owns the frame keeps it alive.
  @usableFromInline
  let definition: Unmanaged<Definition>

  @inlinable
  init(parent: UnsafeMutablePointer<Frame>?, asked: Any.Type?, definition: Unmanaged<Definition>) {
    unsafe self.parent = parent
    self.asked = asked
    unsafe self.definition = definition
  }
}

extension Frame {
  /// The type that was asked for.
  var type: Any.Type { unsafe asked ?? definition._withUnsafeGuaranteedRef { $0.type } }

  /// Whether this is a factory with arguments, which may lead back to itself with other ones.
  var hasArguments: Bool { unsafe definition._withUnsafeGuaranteedRef { $0.arguments != nil } }

  /// Whether this is a factory of that registration.
  func isOf(_ definition: Definition) -> Bool {
    unsafe self.definition.toOpaque() == Unmanaged.passUnretained(definition).toOpaque()
  }

  /// A Boolean value that indicates whether the factory has led back to itself.
  ///
  /// With other arguments it may well, and so may what lies between two factories with arguments.
  var isCycle: Bool {
    if hasArguments { return false }
    var next = unsafe parent
    while let other = unsafe next, unsafe !other.pointee.hasArguments {
      if unsafe other.pointee.definition.toOpaque() == definition.toOpaque() { return true }
      unsafe next = other.pointee.parent
    }
    return false
  }
}
