internal import DependencyInjection

extension AsyncEntry {
  static let scope = Scope("model")
}

extension AsyncWorld {
  /// What registers an entry: the same factory every time.
  func registration(of entry: AsyncEntry) -> RegistrationList {
    registrations.change { all in
      if let list = all[entry.number] { return list }
      let list = makeRegistration(of: entry)
      all[entry.number] = list
      return list
    }
  }

  private func makeRegistration(of entry: AsyncEntry) -> RegistrationList {
    let name = AsyncEntry.name(entry.key)
    if entry.isAsync {
      let make: @Sendable (Resolver) async throws -> AsyncPiece = { [self] in try await run(entry, $0) }
      return switch entry.life {
      case .shared: list(Shared({ resolve in try await make(resolve) }, named: name))
      case .new: list(New({ resolve in try await make(resolve) }, named: name))
      case .weak: list(Weak({ resolve in try await make(resolve) }, named: name))
      case .perGraph: list(PerGraph({ resolve in try await make(resolve) }, named: name))
      case .scoped: list(Scoped(in: AsyncEntry.scope, { resolve in try await make(resolve) }, named: name))
      case .perContainer: list(Scoped(in: .container, { resolve in try await make(resolve) }, named: name))
      }
    }
    let make: @Sendable (Resolver) throws -> AsyncPiece = { [self] in try runSynchronously(entry, $0) }
    return switch entry.life {
    case .shared: list(Shared({ resolve in try make(resolve) }, named: name))
    case .new: list(New({ resolve in try make(resolve) }, named: name))
    case .weak: list(Weak({ resolve in try make(resolve) }, named: name))
    case .perGraph: list(PerGraph({ resolve in try make(resolve) }, named: name))
    case .scoped: list(Scoped(in: AsyncEntry.scope, { resolve in try make(resolve) }, named: name))
    case .perContainer: list(Scoped(in: .container, { resolve in try make(resolve) }, named: name))
    }
  }

  private func list(_ registration: some Registration) -> RegistrationList {
    var list = RegistrationList()
    list.add(registration)
    return list
  }

  // MARK: What the factories do

  private func run(_ entry: AsyncEntry, _ resolver: Resolver) async throws -> AsyncPiece {
    let (container, id, isCancelled) = (current, clock.call(), Flag())
    return try await withTaskCancellationHandler {
      if Task.isCancelled { isCancelled.set() }
      let isOver = active.change { active in
        if !active.isOver {
          active.runs[id] = ("number \(entry.number) for container \(container), since \(id)", isCancelled)
        }
        return active.isOver
      }
      if isOver {
        // A creation that is canceled before it begins may begin at any time.
        if !Task.isCancelled { fault("number \(entry.number) begins after the end, and nobody has canceled it") }
        throw CancellationError()
      }
      defer { active.change { $0.runs[id] = nil } }
      begin(entry, id, container)
      var parts: [AsyncPiece] = []
      for step in entry.steps {
        switch step {
        case .part(let key): parts.append(try await part(key, container, entry, resolver))
        case .parts(let keys): parts += try await self.parts(keys, container, entry, resolver)
        case .stray(let key): start { _ = try? await self.part(key, container, entry, nil) }
        case .signal(let number): try await wait(for: number, entry)
        case .yield(let count): for _ in 0..<count { await Task.yield() }
        case .fail, .change: try perform(step, entry, container)
        }
      }
      return finish(entry, id, container, parts, resolver)
    } onCancel: {
      isCancelled.set()
    }
  }

  private func runSynchronously(_ entry: AsyncEntry, _ resolver: Resolver) throws -> AsyncPiece {
    // A `deinit` may ask for something new when the containers are gone.
    if current < 0 { throw AsyncFailure(entry: entry, container: current) }
    let (container, id) = (current, clock.call())
    begin(entry, id, container)
    var parts: [AsyncPiece] = []
    for step in entry.steps {
      guard case .part(let key) = step else {
        try perform(step, entry, container)
        continue
      }
      parts.append(
        try askSynchronously(key, of: container, isOutermost: false) { name in
          try (entry.number + key) % 2 == 0
            ? resolver.tryResolve(AsyncPiece.self, named: name) : DIContainer.tryResolve(AsyncPiece.self, named: name)
        })
    }
    return finish(entry, id, container, parts, resolver)
  }

  private func begin(_ entry: AsyncEntry, _ id: Int, _ container: Int) {
    let asked = AsyncAsk.begin
    history.change { $0.runs[id] = AsyncHistory.Run(entry: entry, container: container, asked: asked, begin: id) }
  }

  private func finish(
    _ entry: AsyncEntry, _ id: Int, _ container: Int, _ parts: [AsyncPiece], _ resolver: Resolver
  ) -> AsyncPiece {
    let record = AsyncHistory.Record(
      entry, serial: serials.call(), creator: container, begin: AsyncAsk.begin, parts: parts.map(\.record))
    let end = clock.call()
    history.change {
      $0.runs[id]?.end = end
      $0.runs[id]?.serial = record.serial
    }
    return AsyncPiece(record, parts, entry.lastKey == nil ? nil : resolver, self)
  }

  /// Resolves a part, in one way or another.
  private func part(
    _ key: Int, _ container: Int, _ entry: AsyncEntry, _ resolver: Resolver?
  ) async throws -> AsyncPiece {
    let way = (entry.number + key) % 3
    if way == 0, AsyncEntry.synchronousKeys.contains(key) {
      return try askSynchronously(key, of: container, isOutermost: false) { name in
        try resolver?.tryResolve(AsyncPiece.self, named: name) ?? DIContainer.tryResolve(AsyncPiece.self, named: name)
      }
    }
    return try await ask(key, of: container, isOutermost: false) { name in
      if let resolver, way == 1 { return try await resolver.resolveAsync(AsyncPiece.self, named: name) }
      return try await DIContainer.resolveAsync(AsyncPiece.self, named: name)
    }
  }

  /// Resolves several parts at the same time; if one fails, the others are canceled.
  private func parts(
    _ keys: [Int], _ container: Int, _ entry: AsyncEntry, _ resolver: Resolver
  ) async throws -> [AsyncPiece] {
    try await withThrowingTaskGroup(of: AsyncPiece.self) { group in
      for key in keys {
        group.addTask {
          do {
            return try await self.part(key, container, entry, resolver)
          } catch {
            self.noteCancellation()
            throw error
          }
        }
      }
      var parts: [AsyncPiece] = []
      for try await part in group { parts.append(part) }
      return parts
    }
  }

  private func wait(for number: Int, _ entry: AsyncEntry) async throws {
    do {
      try await signals[number].wait()
    } catch {
      if !Task.isCancelled { fault("number \(entry.number) stops waiting for a signal") }
      if !entry.ignoresCancellation { throw error }
    }
  }

  private func perform(_ step: AsyncEntry.Step, _ entry: AsyncEntry, _ container: Int) throws {
    switch step {
    case .fail(let times):
      let attempt = attempts.change { attempts in
        attempts[entry.number, default: 0] += 1
        return attempts[entry.number]!
      }
      if attempt <= times { throw AsyncFailure(entry: entry, container: container) }
    case .change(let change): perform(change)
    default: break
    }
  }
}
