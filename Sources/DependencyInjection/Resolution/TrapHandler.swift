/// A handler that replaces the trap of a failed resolution; a check of the registrations installs one.
protocol TrapHandler: Sendable {
  /// Suspends the calling thread forever, if no other code needs it.
  func leaveThread(with error: ResolutionError)

  /// Ends the process with the findings of the handler, unless the handler is no longer responsible.
  func endProcess(with error: ResolutionError)
}

enum TrapHandling {
  /// The handler for everything that the current code and the tasks that it starts resolve.
  @TaskLocal
  static var current: (any TrapHandler)?
}
