// The reporting of resolutions to observers.

extension DIContainer {
  /// Reports a resolution to the observers of this container and its ancestors.
  ///
  /// A request for all registrations of a type is reported with the key that represents all names. Nothing is reported
  /// from inside `registerDependencies`.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - found: The registration that answers it; nil if there is none.
  ///   - outcome: The outcome: the instance was created, was reused, or could not be created.
  ///   - all: The type, if all of its registrations were requested.
  func report(
    _ request: Request, _ found: FoundRegistration?, _ outcome: ResolutionEvent.Outcome, ofAll all: Any.Type? = nil
  ) {
    // The decorated instance is reported.
    if request.decorator != nil { return }
    // Registering the defaults is not part of the code that happens to be the first to resolve.
    let observers = observers
    if observers.isEmpty || ThreadState.current.registersDefaults != nil { return }
    let path = ThreadState.current.path
    let event = ResolutionEvent(
      .init(
        key: all.map { .names(of: $0) } ?? request.key, isOfDependency: request.label.declaration != nil,
        factories: path.map { ($0.type, $0.definition.label.name) },
        answer: found.map { .init($0.record, level: $0.owner.level) }, container: number,
        passed: found?.definition.ignoresArguments == true ? request.arguments.boxed : nil, type: all ?? request.type,
        name: request.label.name, location: request.location, caller: .current, isCreated: outcome == .created,
        duration: request.start.map { Request.now - $0 } ?? .zero))
    for observer in observers {
      if outcome == .failed {
        observer.didNotResolve(event)
      } else {
        observer.didResolve(event, for: path.last?.definition.root, from: found?.definition.root)
      }
    }
  }

  /// A Boolean value that indicates whether a factory has called the calling code.
  package static var isCreating: Bool { !ThreadState.current.path.isEmpty }

  /// Abandons everything that the calling thread is creating, after something has skipped the frames of its factories.
  ///
  /// An exception of Objective-C does that, with which XCTest may interrupt a test.
  package static func forgetFactories() { ThreadState.current.forgetFactories() }

  /// Ends the process because a resolution has failed.
  func trap(_ error: ResolutionError, _ file: StaticString, _ line: UInt) -> Never {
    let handler = TrapHandling.current
    handler?.leaveThread(with: error)
    for observer in observers { observer.willTrap(error) }
    handler?.endProcess(with: error)
    fatalError(error.description, file: file, line: line)
  }
}
