/// One request to a container for a dependency.
struct Request: @unchecked Sendable {
  // Unchecked: where a task may outlive the caller's wait, the arguments are in a box, and they never change there.

  /// The requested type, if it is optional, so that the result is nil if nothing is registered.
  let optional: (any AnyOptional.Type)?
  /// The type of the key.
  let type: Any.Type
  /// The key of the registration that answers.
  let key: Key
  /// The name, or the `Dependency`, that distinguishes the key from others of the same type.
  let label: Label
  /// The location of the request.
  let location: CodeLocation
  /// The context of the caller, which keeps the current container.
  var context: Context?
  /// The container that is asked.
  var registry: Registry
  /// The creation for which the caller works.
  var creation: Creation?
  /// A Boolean value that indicates whether a decorator makes the request; the decorator is on the path under the same
  /// name.
  var isOfDecorator: Bool
  /// The arguments, which the caller or `box` keeps alive.
  private(set) var arguments: Arguments
  private(set) var box: Box?
  /// A Boolean value that indicates whether the code names the container, instead of using the current one.
  let isContainerNamed: Bool
  /// The time of the request, if it is observed.
  let start: Duration?

  /// The time since the first observed request.
  ///
  /// It is in a function of its own, because the size of an instant is not known to the compiler.
  static var now: Duration {
    @inline(never) get { epoch.duration(to: .now) }
  }

  private static let epoch = ContinuousClock.now

  /// Returns the request with other arguments; keep it until it is answered.
  func passing(_ box: Box) -> Request {
    var request = self
    request.box = box
    request.arguments = Arguments(box)
    return request
  }

  /// Returns the request with arguments of the types that a factory takes.
  ///
  /// - Parameter definition: The registration of the factory.
  /// - Returns: The request.
  /// - Throws: The error for arguments of other types.
  func withArguments(for definition: Definition) throws(ResolutionError) -> Request {
    if definition.arguments == arguments.type || definition.ignoresArguments { return self }
    guard definition.takesArguments, let box = arguments.box.cast(to: definition.arguments) else {
      throw wrongArguments(definition)
    }
    return passing(box)
  }

  /// Returns the registration that answers, if there is one.
  var answer: Answer? {
    AppRegistration.ensure(for: registry)
    return registry.answer(to: key, label)
  }
}

extension Request {
  init(
    _ type: Any.Type, _ label: Label, _ location: CodeLocation, _ arguments: Arguments = .none,
    from resolver: consuming Resolver, isNamed: Bool = false, isOfTask: Bool = false, in context: Context? = .current
  ) {
    let optional = label.declaration == nil ? asOptional(type) : nil
    let type = optional?.wrappedType ?? type
    // A task may run on the thread of a factory without working for it.
    let creation =
      isOfTask
      ? Creation.inner(resolver.creation, in: context?.creation)
      : ThreadState.withCurrent { $0.creation(in: context, or: resolver.creation) }
    // The memberwise initializer, because the optimizer copies a value that is initialized property by property.
    self.init(
      optional: optional, type: type, key: Key(type, label), label: label, location: location, context: context,
      registry: resolver.registry, creation: creation, isOfDecorator: false,
      arguments: arguments, box: nil, isContainerNamed: isNamed, start: resolver.registry.isObserved ? Self.now : nil)
  }
}

// MARK: - Reporting

extension Request {
  /// Reports the request to the observers of the container and of its ancestors.
  ///
  /// - Parameters:
  ///   - answer: The registration that answers; nil if there is none.
  ///   - isCreated: A Boolean value that indicates whether the instance was created, and not reused; nil if there is none.
  ///   - all: The type, if all of its registrations were requested. The key then represents all names.
  @_transparent
  func report(_ answer: Answer?, isCreated: Bool?, ofAll all: Any.Type? = nil) {
    if let start { report(answer, isCreated, all, since: start) }
  }

  private func report(_ answer: Answer?, _ isCreated: Bool?, _ all: Any.Type?, since start: Duration) {
    let (path, observers) = (path, registry.observers)
    // Without closures and iterators, because tests are debug builds and report each resolution.
    var answered: ResolutionEvent.Answer?
    if let answer { answered = .init(answer.definition, of: key, from: answer.owner) }
    let isPassed = answer?.definition.ignoresArguments == true && arguments.type != Void.self
    let event = ResolutionEvent(
      key: all.map { .names(of: $0) } ?? key, isOfDependency: label.declaration != nil,
      answer: answered, container: registry.number, isContainerNamed: isContainerNamed,
      factories: path.count == 0 ? [] : path.map { ($0.type, $0.definition.label.name) },
      passed: isPassed ? arguments.box : nil, type: all ?? type,
      name: label.name, location: location, isCreated: isCreated == true, duration: Self.now - start)
    let asker = path.count == 0 ? nil : path.last?.definition.root
    var next = 0
    while next < observers.count {
      if case .none = isCreated {
        observers[next].didNotResolve(event)
      } else {
        observers[next].didResolve(event, for: asker, from: answer?.definition.root)
      }
      next += 1
    }
  }
}

extension Resolver {
  /// Ends the process because a resolution failed.
  func trap(_ error: ResolutionError, _ file: StaticString, _ line: UInt) -> Never {
    let handlers = Self.trapHandlers
    for handle in handlers { handle(error, false) }
    for observer in registry.observers { observer.willTrap(error) }
    for handle in handlers { handle(error, true) }
    fatalError(error.description, file: file, line: line)
  }

  /// The handlers that a check sets for failed resolutions that trap, in the current code and the tasks that it starts.
  ///
  /// An array, because the optimizer of Swift 6.3 turns a task-local value that is a closure into a crash.
  @TaskLocal
  static var trapHandlers: [TrapHandler] = []

  /// A closure that is called twice for a failed resolution that traps: before the observers learn of it, and
  /// afterward.
  typealias TrapHandler = @Sendable (_ error: ResolutionError, _ haveObserversLearned: Bool) -> Void
}
