// The reporting of resolutions to observers.

extension Request {
  /// Reports the request to the observers of the container and of its ancestors.
  ///
  /// - Parameters:
  ///   - answer: The registration that answers; nil if there is none.
  ///   - outcome: The outcome: the instance was created, was reused, or could not be created.
  ///   - all: The type, if all of its registrations were requested. The key then represents all names.
  func report(_ answer: Answer?, _ outcome: ResolutionEvent.Outcome, ofAll all: Any.Type? = nil) {
    guard let start else { return }
    let (path, observers) = (path, registry.observers)
    let event = ResolutionEvent(
      .init(
        key: all.map { .names(of: $0) } ?? key, isOfDependency: label.declaration != nil,
        factories: path.map { ($0.type, $0.definition.label.name) },
        answer: answer.map { .init($0.definition, level: $0.owner.level) }, container: registry.number,
        passed: answer?.definition.root.ignoresArguments == true ? arguments.boxed : nil, type: all ?? type,
        name: label.name, location: location, caller: .current, isCreated: outcome == .created,
        duration: Self.now - start))
    for observer in observers {
      if outcome == .failed {
        observer.didNotResolve(event)
      } else {
        observer.didResolve(event, for: path.last?.definition.root, from: answer?.definition.root)
      }
    }
  }
}

extension Resolver {
  /// Ends the process because a resolution has failed.
  func trap(_ error: ResolutionError, _ file: StaticString, _ line: UInt) -> Never {
    let handler = TrapHandling.current
    handler?.leaveThread(with: error)
    for observer in registry.observers { observer.willTrap(error) }
    handler?.endProcess(with: error)
    fatalError(error.description, file: file, line: line)
  }
}

extension DIContainer {
  /// A Boolean value that indicates whether a factory has called the calling code.
  package static var isCreating: Bool { !ThreadState.current.path(Context.current?.creation).isEmpty }

  /// Abandons everything that the calling thread is creating, after something has skipped the frames of its factories.
  ///
  /// An exception of Objective-C does that, with which XCTest may interrupt a test.
  package static func forgetFactories() { ThreadState.current.forgetFactories() }
}
