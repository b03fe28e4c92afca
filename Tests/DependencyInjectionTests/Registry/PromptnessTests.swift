internal import DITesting
internal import DependencyInjection
internal import Testing

/// A call after which an instance is no longer the answer.
private enum Ending: String, CaseIterable, CustomTestStringConvertible {
  case overridden, overriddenByNew, unregistered, removed, reset, restored

  var testDescription: String { rawValue }

  /// A Boolean value that indicates whether it takes the registration away, and not only the instance.
  var isOfRegistration: Bool { self != .reset }
}

private protocol Follower: AnyObject { var token: LifetimeToken { get } }
private protocol AnyFollower { var token: LifetimeToken { get } }
private protocol OtherFollower: AnyObject {}

private final class Followed: Follower, AnyFollower, OtherFollower, Sendable {
  let token: LifetimeToken
  init(_ counter: LifetimeCounter) { token = counter.token() }
}

private struct FollowedValue: AnyFollower {
  let token: LifetimeToken
  var padding = (1, 2, 3, 4, 5, 6)
}

/// A kind of value, and what can be done with it.
private struct Subject: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let registration: @Sendable (LifetimeCounter) -> RegistrationList
  let override: @Sendable (DIContainer) -> Void
  let overrideByNew: @Sendable (DIContainer) -> Void
  let unregister: @Sendable (DIContainer) -> Void
  let resolve: @Sendable (DIContainer) -> Any

  init<Value>(
    _ description: String, _ type: Value.Type = Value.self,
    _ make: @escaping @Sendable (LifetimeCounter) -> Value
  ) {
    testDescription = description
    registration = { counter in
      var list = RegistrationList()
      list.add(Shared { make(counter) })
      return list
    }
    override = { $0.register(Shared { make(LifetimeCounter()) }) }
    overrideByNew = { $0.register(New { make(LifetimeCounter()) }) }
    unregister = { $0.unregister(Value.self) }
    resolve = { ($0.resolve(Value.self), $0.resolve(Value?.self)) }
  }

  static let all = [
    Subject("class") { Followed($0) },
    Subject("protocol for classes") { Followed($0) as any Follower },
    Subject("protocol, a class") { Followed($0) as any AnyFollower },
    Subject("protocol, a struct") { FollowedValue(token: $0.token()) as any AnyFollower },
    Subject("struct") { FollowedValue(token: $0.token()) },
    Subject("array") { [Followed($0)] },
    Subject("Any") { Followed($0) as Any },
    Subject("AnyObject") { Followed($0) as AnyObject },
    Subject("protocols for classes") { Followed($0) as any Follower & OtherFollower },
    Subject("Sendable") { Followed($0) as any Sendable },
    Subject("tuple") { (1, Followed($0)) },
    Subject("closure") { counter -> @Sendable () -> Bool in
      let token = counter.token()
      return { token.isIntact }
    },
  ]

  /// Ends what has been registered after the snapshot `before` was taken.
  func end(by ending: Ending, in container: DIContainer, before: DIContainer.Snapshot) {
    switch ending {
    case .overridden: override(container)
    case .overriddenByNew: overrideByNew(container)
    case .unregistered: unregister(container)
    case .removed: container.removeAll()
    case .reset: container.reset()
    case .restored: container.restore(before)
    }
  }
}

@Suite(.timeLimit(.minutes(20)))
struct PromptnessTests {
  private let container = DIContainer()
  private let counter = LifetimeCounter()

  @Test(
    "An instance is gone when the call that ends it returns, however often it was resolved, or the snapshot that keeps it",
    arguments: Subject.all, Ending.allCases)
  fileprivate func atOnce(subject: Subject, ending: Ending) {
    let before = container.snapshot()
    let registration = subject.registration(counter)
    for count in [1, 3, 1_100] {
      container.register(registration)
      for _ in 0..<count { _ = subject.resolve(container) }
      #expect(counter.alive == 1)
      subject.end(by: ending, in: container, before: before)
      #expect(counter.alive == 0, "after \(count) resolves")
      // A lifetime has to end so that the next is not the same.
      subject.unregister(container)
    }
    #expect(counter.created == 3)
    // What only a snapshot keeps goes with the snapshot.
    do {
      let (container, counter) = (DIContainer(), LifetimeCounter())
      let before = container.snapshot()
      let registration = subject.registration(counter)
      container.register(registration)
      let empty = container.snapshot()
      for _ in 0..<3 { _ = subject.resolve(container) }
      var snapshot: DIContainer.Snapshot? = container.snapshot()
      subject.end(by: ending, in: container, before: before)
      #expect(counter.alive == 1)
      withExtendedLifetime(empty) {
        // Released in here, where the one that was taken before the instance existed is still there.
        withExtendedLifetime(snapshot) {}
        snapshot = nil
        #expect(counter.alive == 0)
      }
    }
  }

  @Test(
    "With a reader in flight it is gone as soon as the reader is done", arguments: Subject.all, Ending.allCases)
  fileprivate func withReader(subject: Subject, ending: Ending) {
    let (container, counter) = (container, counter)
    let before = container.snapshot()
    let registration = subject.registration(counter)
    container.register(registration)
    let isResolved = Event()
    let isEnded = Event()
    let alive = onThreads(2) { index -> [Int] in
      if index == 1 {
        isResolved.wait()
        subject.end(by: ending, in: container, before: before)
        isEnded.signal()
        return []
      }
      var reader: Any? = subject.resolve(container)
      isResolved.signal()
      isEnded.wait()
      let during = withExtendedLifetime(reader) { counter.alive }
      reader = nil
      return [during, counter.alive]
    }
    #expect(alive[0] == [1, 0])
  }

  @Test(
    "What is still being created when it is ended goes to whoever creates it, and then is gone",
    arguments: Ending.allCases, [false, true])
  fileprivate func inCreation(ending: Ending, throughChild: Bool) {
    let (container, counter) = (container, counter)
    let before = container.snapshot()
    let isCreating = Event()
    let mayFinish = Event()
    let subject = Subject("class") { Followed($0) }
    var registration = RegistrationList()
    registration.add(
      Shared {
        isCreating.signal()
        mayFinish.wait()
        return Followed(counter)
      })
    container.register(registration)
    let child = DIContainer(parent: container)
    let alive = onThreads(2) { index -> [Int] in
      if index == 1 {
        isCreating.wait()
        subject.end(by: ending, in: container, before: before)
        mayFinish.signal()
        return []
      }
      var created: Followed? = (throughChild ? child : container).resolve(Followed.self)
      let during = withExtendedLifetime(created) { counter.alive }
      created = nil
      return [during, counter.alive]
    }
    #expect(alive[0] == [1, 0])
    if !ending.isOfRegistration {
      for _ in 0..<3 { _ = (throughChild ? child : container).resolve(Followed.self) }
      #expect(counter.created == 2, "the next resolve creates another one")
      #expect(counter.alive == 1)
    }
  }

  @Test("The same registration again changes nothing: the instance stays", arguments: Subject.all)
  fileprivate func registeredAgain(subject: Subject) {
    let registration = subject.registration(counter)
    for _ in 0..<3 {
      container.register(registration)
      container.register(Module(registration))
      for _ in 0..<3 { _ = subject.resolve(container) }
      #expect(counter.created == 1 && counter.alive == 1)
    }
    subject.override(container)
    #expect(counter.alive == 0)
    container.register(registration)
    _ = subject.resolve(container)
    #expect(counter.created == 2 && counter.alive == 1, "after another one, it is a new registration")
  }

  @Test("The same registration again, while its instance is created, changes nothing either", arguments: [false, true])
  func registeredAgainInCreation(throughChild: Bool) {
    let (container, counter) = (container, counter)
    let (isCreating, mayFinish) = (Event(), Event())
    let registration = Module(
      Shared {
        isCreating.signal()
        mayFinish.wait()
        return Followed(counter)
      })
    container.register(registration)
    let requester = throughChild ? DIContainer(parent: container) : container
    let same = onThreads(2) { index -> Bool in
      if index == 1 {
        isCreating.wait()
        container.register(registration)
        mayFinish.signal()
        return true
      }
      return requester.resolve(Followed.self) === container.resolve(Followed.self)
    }
    #expect(same == [true, true] && counter.created == 1 && counter.alive == 1)
  }

  @Test("What a factory has captured is gone when its registration is", arguments: Ending.allCases, [false, true])
  fileprivate func captures(ending: Ending, isShared: Bool) {
    let before = container.snapshot()
    let subject = Subject("class") { Followed($0) }
    do {
      var registration = RegistrationList()
      let token = counter.token()
      let other = LifetimeCounter()
      let make: @Sendable () -> Followed = {
        precondition(token.isIntact)
        return Followed(other)
      }
      if isShared { registration.add(Shared(make)) } else { registration.add(New(make)) }
      container.register(registration)
      for _ in 0..<1_100 { _ = subject.resolve(container) }
      // This looks for an instance first, and finds a factory.
      _ = LazyInject<Followed>(from: container).wrappedValue
      subject.end(by: ending, in: container, before: before)
    }
    #expect(counter.alive == (ending.isOfRegistration ? 0 : 1))
    subject.unregister(container)
    #expect(counter.alive == 0)
  }

  @Test("A factory that is running when its registration goes takes its captures along", arguments: [false, true])
  func runningFactory(isWithArgument: Bool) {
    let (container, counter) = (container, counter)
    let isRunning = Event()
    let mayFinish = Event()
    do {
      let token = counter.token()
      let run: @Sendable () -> String = {
        isRunning.signal()
        mayFinish.wait()
        return "\(token.isIntact)"
      }
      if isWithArgument {
        container.register(New { (_: Resolver, _: Int) in run() })
      } else {
        container.register(New(run))
      }
    }
    let seen = onThreads(2) { index -> (String, Int) in
      if index == 1 {
        isRunning.wait()
        container.unregister(String.self)
        let alive = counter.alive
        mayFinish.signal()
        return ("", alive)
      }
      let text: String = isWithArgument ? container.resolve { 1 } : container.resolve()
      return (text, counter.alive)
    }
    #expect(seen[1].1 == 1 && seen[0] == ("true", 0))
  }

  @Test("An instance behind aliases is gone with the last of them, in any order", arguments: 0..<6)
  func aliases(order: Int) {
    let counter = counter
    container.register(Shared(Followed(counter), as: (any Follower).self, (any AnyFollower).self, Followed.self))
    for _ in 0..<3 {
      _ = (container.resolve((any Follower).self), container.resolve((any Follower)?.self))
      _ = (container.resolve((any AnyFollower).self), container.resolve((any AnyFollower)?.self))
      _ = (container.resolve(Followed.self), container.resolve(Followed?.self))
    }
    var keys = [0, 1, 2]
    let first = keys.remove(at: order % 3)
    if order >= 3 { keys.reverse() }
    for (left, key) in zip([1, 1, 0], [first] + keys) {
      switch key {
      case 0: container.unregister((any Follower).self)
      case 1: container.register(Shared(Followed(LifetimeCounter()) as any AnyFollower))
      default: container.register(New(Followed(LifetimeCounter())))
      }
      #expect(counter.alive == left)
    }
  }

  @Test("A container goes with all it has", arguments: Subject.all)
  fileprivate func wholeContainer(subject: Subject) {
    weak var gone: DIContainer?
    do {
      let own = DIContainer()
      gone = own
      own.register(subject.registration(counter))
      for _ in 0..<1_100 { _ = subject.resolve(own) }
      #expect(counter.alive == 1)
    }
    #expect(gone == nil && counter.alive == 0)
  }

  @Test("Overrides go with the scope, and with the last task that has it")
  func scope() async {
    let (container, counter) = (container, counter)
    let isOver = Event()
    let task = DIContainer.withCurrent(container) {
      DIContainer.withOverrides {
        Shared(Followed(counter))
      } perform: {
        _ = DIContainer.resolve(Followed.self)
        return Task { @concurrent in
          isOver.wait()
          return DIContainer.resolve(Followed.self).token.isIntact
        }
      }
    }
    #expect(counter.alive == 1)
    isOver.signal()
    #expect(await task.value)
    #expect(eventually { counter.alive == 0 }, "a task that has returned may still be about to be freed")
    DIContainer.withCurrent(container) {
      DIContainer.withOverrides {
        Shared(Followed(counter))
      } perform: {
        _ = DIContainer.resolve(Followed.self)
        #expect(counter.alive == 1)
      }
    }
    #expect(counter.alive == 0)
  }

  private final class Ends: Sendable { let names = Locked<[String]>([]) }

  /// An object that records its own release.
  private final class Noted: Sendable {
    let name: String
    let ends: Ends
    init(_ name: String, _ ends: Ends) { (self.name, self.ends) = (name, ends) }
    deinit { ends.names.withLock { $0.append(name) } }
  }

  @Test("An instance is released before what only its factory keeps, and before its argument")
  func order() {
    let changes: [(DIContainer) -> Void] = [
      { $0.unregister(Noted.self) }, { $0.removeAll() }, { $0.register(New(Noted("new", Ends()))) },
    ]
    for change in changes {
      let (container, ends) = (DIContainer(), Ends())
      do {
        let captured = Noted("captured", ends)
        container.register(Shared { withExtendedLifetime(captured) { Noted("instance", ends) } })
      }
      _ = container.resolve(Noted.self)
      change(container)
      #expect(ends.names.withLock { $0 } == ["instance", "captured"])
    }
    do {
      let changes: [(DIContainer, Dependency<Noted, NotedArgument>) -> Void] = [
        { container, noted in DIContainer.withCurrent(container) { noted.reset() } },
        { container, _ in container.removeAll() },
      ]
      for change in changes {
        let (container, ends) = (DIContainer(), Ends())
        let noted = Dependency<Noted, NotedArgument>(instancePerArgument: .shared) { _, _ in Noted("instance", ends) }
        _ = noted(NotedArgument(ends), from: container)
        change(container, noted)
        #expect(ends.names.withLock { $0 } == ["instance", "argument"])
      }
    }
  }

  /// An argument by which instances are told apart.
  private final class NotedArgument: Hashable, Sendable {
    let note: Noted
    init(_ ends: Ends) { note = Noted("argument", ends) }
    static func == (argument: NotedArgument, other: NotedArgument) -> Bool { argument === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
}
