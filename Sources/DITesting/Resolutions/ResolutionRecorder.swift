internal import DependencyInjection
internal import Synchronization

/// Records the resolutions and overrides of a test, and reports those that must not happen.
final class ResolutionRecorder: ResolutionObserver {
  /// The test whose containers this watches.
  let test: IsolatedTest

  /// The number of the test's own container.
  let container: Int

  /// The recorder of the enclosing test.
  let outer: ResolutionRecorder?

  /// The number of resolutions to keep; later ones are only counted.
  private let capacity: Int

  let state: Locked<State>

  /// A Boolean value that indicates whether the test has ever created a container, which another test may use.
  ///
  /// Relaxed: code that uses such a container got it from the code that created it, and so sees this.
  private let hasContainers = Atomic(false)

  struct State {
    var resolutions: [ResolutionEvent] = []

    /// The resolutions after the list was full, by their keys and the numbers of their containers.
    var unlisted: [Key: [Int: Unlisted]] = [:]

    var overrides: [Override] = []

    /// The index of the newest override with each identity.
    var indices: [Override.Identity: Int] = [:]

    /// The registrations by the code of the test, in any of its containers, that are not overrides.
    var registered: [Override] = []

    /// The keys that any code has registered in any container of the test.
    var registeredKeys: Set<Key> = []

    /// The overrides and these registrations.
    var known: Set<Override.Identity> = []

    /// The keys that the test has overridden or resolved.
    ///
    /// What was listed since this was last asked for is added then, so that recording a resolution costs less.
    var usedKeys: Set<Key> {
      mutating get {
        for index in addedCount..<resolutions.count { use(resolutions[index]) }
        addedCount = resolutions.count
        return addedKeys
      }
    }

    /// The keys of all names, of the types that the test has overridden or resolved other than as a `Dependency`.
    fileprivate var namesOfUsed: Set<Key> = []
    fileprivate var addedKeys: Set<Key> = []
    fileprivate var addedCount = 0

    /// The statements about types other than those of overrides: that they must not be resolved, or are decorated.
    var statements: [Statement] = []

    /// The registrations of the app that replaced an override, and the warnings if they are resolved.
    var replacements: [(new: Override.Identity, override: CodeLocation, warning: String)] = []

    /// The registrations of traits that only an override should replace.
    var ofTraits: [Definition] = []

    /// The registrations that the container of the test started with, as long as the test runs.
    var origin: [Registrations]?

    /// The containers that the test has created, and the parent of each.
    var parents: [Int: Int] = [:]

    /// Those of them without a parent, and their copies, which this watches until the test is over.
    var roots: [WeakReference<DIContainer>] = []

    var isOver = false

    /// The expectations that wait for a resolution, by numbers.
    var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
    var waits = 0

    /// The reports made so far: each is made once.
    var reported: Set<String> = []

    /// Notes that the test overrides or resolves a key.
    mutating func use(_ key: Key, of type: Any.Type, isOfDependency: Bool) {
      if addedKeys.insert(key).inserted, !isOfDependency { namesOfUsed.insert(.names(of: type)) }
    }

    private mutating func use(_ resolution: ResolutionEvent) {
      use(resolution.key, of: resolution.type, isOfDependency: resolution.isOfDependency)
    }

    /// Counts a resolution without listing it.
    mutating func count(_ resolution: ResolutionEvent) {
      use(resolution)
      var others = unlisted[resolution.key]?[resolution.container] ?? Unlisted(example: resolution)
      others.resolutions += 1
      if resolution.isCreated { others.creations += 1 }
      unlisted[resolution.key, default: [:]][resolution.container] = others
    }
  }

  /// Resolutions of one key from one container that are counted, but not listed.
  struct Unlisted {
    /// The first of them.
    let example: ResolutionEvent
    var resolutions = 0
    var creations = 0
  }

  init(
    for test: IsolatedTest, in container: DIContainer, inside outer: ResolutionRecorder? = nil, capacity: Int = 100_000
  ) {
    self.test = test
    self.outer = outer
    self.container = container.registry.number
    self.capacity = capacity
    state = Locked(State(origin: container.registry.allRegistrations))
  }

  // MARK: Recording

  func didResolve(_ resolution: ResolutionEvent, for _: Definition?, from _: Definition?) {
    let isOfAnotherTest = isOfAnotherTest
    var inherited: Override.Identity?
    var waiting: [Int: AsyncStream<Void>.Continuation]?
    let isOver = state.withLock { state in
      if state.isOver || isOfAnotherTest { return state.isOver }
      if state.resolutions.count < capacity {
        state.resolutions.append(resolution)
      } else {
        state.count(resolution)
      }
      // The newest one, because a released registration at the same line may have had the same address.
      if state.overrides.count > 0, let answer = resolution.answer, case let identity = Override.Identity(answer),
        let index = state.indices[identity]
      {
        if state.overrides[index].isInherited { inherited = identity }
        state.overrides[index].isResolved = true
      }
      if state.waiting.count > 0 { waiting = state.waiting }
      return false
    }
    if let inherited { outer?.markResolved(inherited) }
    if let waiting { for continuation in waiting.values { continuation.yield() } }
    if isOver { reportLate(resolution) }
    if isOfAnotherTest { return }
    if !isOver { ObservedClosure.innermost?.add(resolution, to: self) }
    Reports.make(after: resolution)
  }

  func didNotResolve(_ resolution: ResolutionEvent) {
    if state.withLock(\.isOver) { reportLate(resolution) }
    Reports.make(after: resolution)
  }

  func willTrap(_ error: ResolutionError) {
    Reports.makeAll()
    var message = "\(error)"
    if error.code == .wrongActor {
      message += """

          note       a property of a suite is created by its `init()`: isolate that with `@MainActor init() {}`, or use `@LazyInject`
        """
    }
    reportAtOnce(message, at: FailureLocation(of: test, or: error.location), to: test.framework)
  }

  /// Watches a container that the test creates.
  func didCreate(_ container: DIContainer) {
    // A child or a copy of the container of the test has its observers.
    let isSeen = container.observers.contains { $0 === self }
    // Like a container that the code of the test created, a copy of it may outlive the test.
    let isCopyOfRoot =
      container.ownObservers.contains { $0 === self } && !container.registry.ancestry.contains(self.container)
    let isWatched = state.withLock { state in
      if state.isOver { return false }
      for registry in container.registry.copiedLineage {
        // The container of which it is a child or a copy.
        state.parents[registry.number] = registry.ancestry.dropFirst().first ?? 0
      }
      if !isSeen || isCopyOfRoot {
        state.roots.append(WeakReference(container))
      }
      hasContainers.store(true, ordering: .relaxed)
      return !isSeen
    }
    guard isWatched else { return }
    container.addObserver(self)
    // The test may have ended in the meantime.
    if state.withLock(\.isOver) { container.removeObserver(self) }
  }

  /// Notes what the test registers, and warns of a registration that replaces one of a trait.
  func didChange(_ changed: Set<Key>, replacing _: Set<Key>, in container: DIContainer) {
    if isOfAnotherTest { return }
    for key in changed {
      guard let definition = container.registry.definition(of: key) else { continue }
      note(decorator: definition)
      // A decorator is its own root where nothing else is registered. Nobody registers a declaration.
      let new = definition.root
      if new.isDecoration || new.isDeclared { continue }
      state.withLock { _ = $0.registeredKeys.insert(key) }
      if test.isCode(at: new.location) {
        state.withLock { state in
          let former = (state.origin ?? []).compactMap { $0.definition(of: key) }
          // Decorating a registration of the app does not register it.
          if former.contains(where: { $0.root === new }) { return }
          var registered = Override(.registered, new, in: container, isFound: !former.isEmpty)
          registered.position = state.resolutions.count
          if state.known.insert(registered.identity).inserted { state.registered.append(registered) }
        }
      } else if let former = unusedOverride(of: key, in: container.registry.number), test.isCode(at: former.location) {
        noteReplacement(
          of: former.location, by: new, of: former.statement.keys.first { $0.key == key }?.type ?? new.type)
      }
    }
    guard container.registry.number == self.container else { return }
    let (ofTraits, overrides) = state.withLock { ($0.ofTraits, $0.overrides) }
    for former in ofTraits {
      for (key, type) in former.keys where changed.contains(key) {
        guard let new = container.registry.visibleRoot(of: key)?.definition, new.declarationLocation == nil,
          !ofTraits.contains(where: { $0 === new }),
          !overrides.contains(where: { $0.identity == Override.Identity(new) })
        else { continue }
        let message = """
          A registration of '\(displayName(type))' replaces one that a trait made.
            trait      \(former.location)
            registered \(new.location)
            note       register in the trait what all tests of a suite need; to replace it in one test, use `DIContainer.override`
          """
        guard isFirst(message) else { continue }
        test.report(message, at: new.location, isWarning: true)
      }
    }
  }

  /// A Boolean value that indicates whether the calling code belongs to another test, which uses a container that this
  /// test created.
  var isOfAnotherTest: Bool {
    hasContainers.load(ordering: .relaxed) && IsolatedTest.current.map { !test.contains($0) } ?? false
  }

  // MARK: Asking

  /// The listed resolutions, in order.
  var resolutions: [ResolutionEvent] { state.withLock(\.resolutions) }

  /// The resolutions after the list was full.
  var unlisted: [Unlisted] { state.withLock { $0.unlisted.values.flatMap(\.values) } }

  /// Waits until a condition holds, the time runs out or the test ends; checks the condition after each resolution.
  func wait(atMost limit: Duration, until isMet: () -> Bool) async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      // The end of the test ends only the waits that began before.
      if state.isOver { continuation.finish() }
      state.waits += 1
      state.waiting[state.waits] = continuation
      return state.waits
    }
    // Detached, because it would otherwise keep the container of the test alive.
    let timer = Task.detached {
      try? await Task.sleep(for: limit)
      continuation.finish()
    }
    defer {
      timer.cancel()
      state.withLock { $0.waiting[number] = nil }
    }
    var signals = stream.makeAsyncIterator()
    while !isMet() {
      if await signals.next(isolation: #isolation) == nil { return }
    }
  }

  /// Returns the resolutions that are from a container, or from a descendant of it that the test created.
  ///
  /// - Parameters:
  ///   - resolutions: The resolutions.
  ///   - container: The number of the container; nil for any container.
  /// - Returns: The resolutions from the container.
  func among(_ resolutions: [ResolutionEvent], from container: Int?) -> [ResolutionEvent] {
    guard let container else { return resolutions }
    let parents = parents
    return resolutions.filter { resolution in
      sequence(first: resolution.container) { parents[$0] }.contains(container)
    }
  }

  /// The parents of the containers that the test created.
  var parents: [Int: Int] { state.withLock(\.parents) }

  /// The keys that the test has overridden or resolved.
  var usedKeys: Set<Key> { state.withLock { $0.usedKeys } }

  /// Returns whether a key was registered in a container of the test since the test began.
  func hasRegistered(_ key: Key) -> Bool { state.withLock { $0.registeredKeys.contains(key) } }

  /// Returns whether the test has overridden or resolved a key; a key of all names includes no `Dependency`.
  func hasUsed(_ key: Key) -> Bool {
    state.withLock { $0.usedKeys.contains(key) || $0.namesOfUsed.contains(key) }
  }

  /// Returns whether one of these was registered in the test's container after it started, and is not a default.
  func hasRegistered(_ registrations: [(key: Key, definition: Definition)]) -> Bool {
    guard let origin = state.withLock(\.origin) else { return false }
    return registrations.contains { key, definition in
      !definition.isDeclared && !origin.contains { $0.definition(of: key)?.root === definition.root }
    }
  }

  // MARK: The end

  /// Ends the test; later resolutions are reported.
  func end() {
    let (origin, roots, isFull, waiting) = state.withLock { state in
      state.isOver = true
      defer { (state.origin, state.roots, state.waiting) = (nil, [], [:]) }
      return (state.origin, state.roots, !state.unlisted.isEmpty, state.waiting)
    }
    for continuation in waiting.values { continuation.finish() }
    for root in roots { root.object?.removeObserver(self) }
    if isFull {
      test.reportAtEnd(
        """
        Only the first \(capacity) resolutions of the test are listed; later ones are counted.
          test       \(test.name)
          note       if no expectation needs them, pass `recording: false`
        """, at: resolutions[0].location, isWarning: true)
    } else {
      // Resolutions that are not listed may be of what seems unused.
      warnOfUselessStatements()
      warnOfUnansweredStatements()
    }
    warnOfReplacements()
    let unused = unusedOverrides.filter { !$0.isInherited }
    if test.overrides.contains(.mustBeResolved), let message = message(about: unused) {
      test.reportAtEnd(message, at: unused[0].location)
    }
    test.end()
    _ = consume origin
  }

  /// Warns of a resolution after the test, once for each line, and not of nested resolutions.
  private func reportLate(_ resolution: ResolutionEvent) {
    // A container without a parent may outlive the test, and another test may use it.
    if isOfAnotherTest, among([resolution], from: container).isEmpty { return }
    guard test.escapes != .ignore, !resolution.isNested, isFirst(resolution.pathAndPlace) else { return }
    let note = "  note       what a closure of `withIsolatedContainer` creates must be used in that closure\n"
    test.report(
      """
      A resolution of '\(resolution.asked)' ended after its test.
        asked at   \(resolution.location)
        test       \(test.name)
      \(test.isClosure ? note : "")  note       make the test wait for the task that resolves it, or cancel the task
      """, at: resolution.location, isWarning: true)
  }
}
