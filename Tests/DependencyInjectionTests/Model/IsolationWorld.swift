internal import DependencyInjection

/// What one round of the isolation model has in common: what has been created, and what somebody has got.
final class IsolationWorld: Sendable {
  /// Something that was asked for outside of an instance, or for a container that is not that of the instance.
  private struct Answer {
    let piece: IsolationPiece
    let place: IsolationPlace
    let way: String
  }

  let plan: IsolationPlan

  /// The root of all containers, and where the overrides of a copy are registered.
  let app = IsolationTag("the app")

  /// The containers themselves.
  let containers = IsolationCopy()

  /// Numbers everything in the order in which it happens.
  let numbers = CallCounter()
  private let pieces = Monitor<[IsolationPiece]>([])
  private let answers = Monitor<[Answer]>([])
  private let faults = Monitor<[String]>([])
  private let lines = Monitor<[String]>([])

  /// The number of tasks that run, and what runs them on threads of their own.
  private let tasks = Monitor(0)
  private let executor = CountingExecutor()

  init(_ plan: IsolationPlan) { self.plan = plan }

  /// What registers a spec, always another registration.
  func registration(
    of spec: IsolationSpec, in container: IsolationTag, _ copy: IsolationCopy
  ) -> RegistrationList {
    let registration = IsolationRegistration(numbers.call(), spec, in: container, copy)
    return IsolationKey.all[spec.key].registration(spec.life) { [self] in try create(registration, $0) }
  }

  /// Runs a closure with a copy of the current container.
  ///
  /// - Parameters:
  ///   - place: The current container.
  ///   - specs: The overrides.
  ///   - body: The closure, which gets the place of the copy.
  func withCopy(
    of place: IsolationPlace, overriding specs: [IsolationSpec], _ body: (IsolationPlace) throws -> Void
  ) rethrows {
    let copy = IsolationCopy(number: numbers.call(), of: place.copy, overriding: Set(specs.map(\.key)))
    try DIContainer.withOverrides {
      New(copy)
      for spec in specs { registration(of: spec, in: app, copy) }
    } perform: {
      copy.close(at: numbers.call())
      try body(IsolationPlace(copy: copy, container: place.container))
    }
  }

  /// Makes a child of a container.
  func child(
    of parent: DIContainer, at place: IsolationPlace, registering specs: [IsolationSpec], name: String? = nil
  ) -> (container: DIContainer, place: IsolationPlace) {
    let tag = IsolationTag(name ?? "child \(numbers.call()) of \(place.container)", parent: place.container)
    let container = DIContainer(parent: parent)
    container.register {
      New(tag)
      for spec in specs { registration(of: spec, in: tag, place.copy) }
    }
    return (container, IsolationPlace(copy: place.copy, container: tag))
  }

  // MARK: What the factories do

  private func create(_ registration: IsolationRegistration, _ resolve: Resolver) throws -> IsolationPiece {
    let place = IsolationPlace(
      copy: try DIContainer.tryResolve(IsolationCopy.self), container: try DIContainer.tryResolve(IsolationTag.self))
    let other = IsolationPlace(
      copy: try resolve.tryResolve(IsolationCopy.self), container: try resolve.tryResolve(IsolationTag.self))
    if !place.isSame(as: other) { fault("the resolver leads to \(other) where \(place) is current") }
    let parts = IsolationParts()
    let later = try registration.spec.parts.compactMap { try obtain($0, for: parts, at: place, resolve) }
    let piece = IsolationPiece(numbers.call(), registration, at: place, parts, later: later)
    pieces.change { $0.append(piece) }
    return piece
  }

  /// Gets a part of an instance, or returns how it gets that later.
  private func obtain(
    _ part: IsolationSpec.Part, for parts: IsolationParts, at place: IsolationPlace, _ resolve: Resolver
  ) throws -> IsolationLater? {
    let (key, way) = (IsolationKey.all[part.key], part.way)
    func keep(_ found: IsolationFound) {
      parts.add(found, by: way)
      if part.isUsed { use(found.piece, from: place) }
    }
    func later(isOwn: Bool = true, _ body: @escaping @Sendable () throws -> IsolationFound) -> IsolationLater {
      IsolationLater(way: way, isOwn: isOwn, resolve: body)
    }
    func start(_ body: @escaping @Sendable () async throws -> IsolationFound) {
      tasks.change { $0 += 1 }
      Task(executorPreference: executor) { [self] in
        do { parts.add(try await body(), by: way) } catch { fault("a task cannot resolve key \(part.key): \(error)") }
        tasks.change { $0 -= 1 }
      }
    }
    switch way {
    case .resolver: keep(try key.fromResolver(resolve))
    case .current: keep(try key.fromCurrent())
    case .injected: keep(key.injected())
    case .lazyNow: keep(key.lazily(nil)())
    case .threadWithResolver:
      keep(try onAnotherThread { outcome { try key.fromResolver(resolve) } }.get())
    case .threadEscaping:
      let body = DIContainer.escaping { outcome(key.fromCurrent) }
      keep(try onAnotherThread { body() }.get())
    case .child:
      let (container, inside) = child(of: .current, at: place, registering: part.overrides)
      answer(try key.fromContainer(container), to: inside, by: way.rawValue)
    case .copy:
      try withCopy(of: place, overriding: part.overrides) { inside in
        answer(try key.fromCurrent(), to: inside, by: way.rawValue)
      }
    case .task: start { try key.fromCurrent() }
    case .taskAsync: start { try await key.fromCurrentAsync() }
    case .taskWithResolver: start { try key.fromResolver(resolve) }
    case .detachedTask:
      tasks.change { $0 += 1 }
      let body = DIContainer.escaping { outcome(key.fromCurrent) }
      Task.detached(executorPreference: executor) { [self] in
        do { parts.add(try body().get(), by: way) } catch { fault("a task cannot resolve key \(part.key): \(error)") }
        tasks.change { $0 -= 1 }
      }
    case .lazyLater: return later(key.lazily(nil))
    case .lazyFromCurrent: return later(key.lazily(DIContainer.current))
    case .handle:
      let container = DIContainer.current
      return later { try key.fromContainer(container) }
    case .callbackWithResolver: return later { try key.fromResolver(resolve) }
    case .callbackEscaping:
      let body = DIContainer.escaping { outcome(key.fromCurrent) }
      return later { try body().get() }
    case .callbackOfCaller: return later(isOwn: false, key.fromCurrent)
    }
    return nil
  }

  // MARK: What others do

  /// Lets an instance resolve what it resolves later, where a container is current.
  func use(_ piece: IsolationPiece, from place: IsolationPlace) {
    for later in piece.later {
      do {
        let found = try later.resolve()
        if later.isOwn {
          piece.parts.add(found, by: later.way)
        } else {
          answer(found, to: place, by: later.way.rawValue)
        }
      } catch {
        fault("\(piece) cannot resolve by \(later.way.rawValue): \(error)")
      }
    }
  }

  func answer(_ found: IsolationFound, to place: IsolationPlace, by way: String) {
    answers.change { $0.append(Answer(piece: found.piece, place: place, way: way)) }
  }

  /// All that has been created until now.
  var all: [IsolationPiece] { pieces.change { $0 } }

  func fault(_ text: String) { faults.change { $0.append(text) } }

  func log(_ line: String) { lines.change { $0.append(line) } }

  /// What has been done.
  var operations: [String] { lines.change { $0 } }

  /// Waits for the tasks that factories have started.
  func waitForTasks() { tasks.wait { $0 == 0 } }

  /// Lets go of everything.
  func end() {
    let gonePieces = pieces.change { pieces in
      defer { pieces = [] }
      return pieces
    }
    let goneAnswers = answers.change { answers in
      defer { answers = [] }
      return answers
    }
    // Released here, and not while a lock is held.
    withExtendedLifetime((gonePieces, goneAnswers)) {}
  }

  // MARK: What is wrong

  /// The first thing that is not where it should be, and what holds it.
  func firstFault() -> String? {
    if let fault = faults.change({ $0.first }) { return fault }
    for holder in all {
      for part in holder.parts.all {
        guard let text = holder.place.fault(of: part.found.piece) else { continue }
        return """
          \(holder.place) keeps or has made something with a part of its own that is not from there
            \(path(to: holder).joined(separator: "\n  "))
            by \(part.way.rawValue): \(part.found.piece), \(text)
          """
      }
    }
    for answer in answers.change({ $0 }) {
      guard let text = answer.place.fault(of: answer.piece) else { continue }
      return "\(answer.place) got, by \(answer.way): \(answer.piece), \(text)"
    }
    return nil
  }

  /// An instance and what holds it, the outermost first.
  private func path(to piece: IsolationPiece) -> [String] {
    var path = ["\(piece)"]
    var next = piece
    while path.count < 12 {
      guard let (holder, way) = self.holder(of: next) else { break }
      path[0] = "by \(way.rawValue): \(path[0])"
      path.insert("\(holder)", at: 0)
      next = holder
    }
    return path
  }

  private func holder(of piece: IsolationPiece) -> (IsolationPiece, IsolationWay)? {
    for holder in all {
      for part in holder.parts.all where part.found.piece === piece { return (holder, part.way) }
    }
    return nil
  }
}

/// What a closure returns or throws, to be handed to another thread.
private func outcome(_ body: () throws -> IsolationFound) -> Result<IsolationFound, any Error> {
  Result { try body() }
}
