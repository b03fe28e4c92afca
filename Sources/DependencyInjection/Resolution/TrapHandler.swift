/// Handles a resolve that cannot succeed in the place of a trap: a check of the registrations does.
protocol TrapHandler: Sendable {
  /// Puts the calling thread to sleep for good, if no other code needs it.
  func leaveThread(with error: ResolutionError)

  /// Ends the process with what the handler knows, unless it is no longer responsible.
  func endProcess(with error: ResolutionError)
}

enum TrapHandling {
  /// The handler for what the current code and the tasks that it starts resolve.
  @TaskLocal
  static var current: (any TrapHandler)?
}
