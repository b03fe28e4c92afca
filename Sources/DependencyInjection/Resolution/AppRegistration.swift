internal import Synchronization

/// The call of an app's `registerDependencies`, once, when the shared container is first used.
enum AppRegistration {
  private static let isDone = Atomic(false)
  /// The call, while it is in progress or has not begun; a creation without a registration.
  private static let call = Creation(nil, as: DIContainer.self, for: .shared, in: nil)
  private static let hasBegun = Atomic(false)

  /// A Boolean value that indicates whether the call has not returned yet.
  @_transparent
  static var isPending: Bool { !isDone.load(ordering: .acquiring) }

  /// A Boolean value that indicates whether the calling code was called by `registerDependencies`.
  static var isRunning: Bool {
    isPending ? call.isAround(.current) : false
  }

  /// Calls `registerDependencies`, unless that was done already or the calling code is inside of it.
  ///
  /// Other threads wait until it has returned.
  @_transparent
  static func ensure() {
    if isPending { begin() }
  }

  /// Calls `registerDependencies` before a container is used, if the shared container is its root.
  @_transparent
  static func ensure(for registry: Registry) {
    if isPending, registry.isSharedOrBelow { begin() }
  }

  @inline(never)
  private static func begin() {
    if hasBegun.exchange(true, ordering: .acquiringAndReleasing) {
      if isRunning { return }
      // A cycle through another thread, which is in the middle of registering: use what is registered so far.
      _ = try? call.waitOnThread(in: .current)
      return
    }
    #if DEBUG
      if let explanation = DIContainer.otherCopyExplanation { CLibrary.writeError("warning: \(explanation).") }
    #endif
    if let conforming = (DIContainer.self as Any.Type) as? any DependencyRegistering.Type {
      let (thread, context) = (ThreadState.current, Context.current)
      // A wait in there may be for something that cannot continue until the call has ended: that cycle is an error.
      call.begin(in: thread.creation(in: context))
      thread.begin(call)
      DIContainer(.shared).context(in: context).run { conforming.registerDependencies() }
      thread.end(call)
    }
    isDone.store(true, ordering: .releasing)
    call.end()
  }
}
