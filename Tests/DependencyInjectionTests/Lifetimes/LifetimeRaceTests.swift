internal import DependencyInjection
internal import Synchronization
internal import Testing

extension Scope {
  fileprivate static let session = Scope("session")
}

private final class Origin: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
}

private protocol Session: AnyObject, Sendable { var origin: Origin { get } }

private final class SessionImpl: Session {
  let origin: Origin
  init(_ origin: Origin) { self.origin = origin }
}

/// Made of a session in every way there is.
private final class Page {
  let direct: any Session
  let part: Part
  @Inject var injected: any Session
  @LazyInject var later: any Session

  init(_ resolve: Resolver) {
    direct = resolve()
    part = resolve()
  }

  final class Part {
    @Inject var session: any Session
  }

  /// The sessions of its graph; what it resolves later is another one.
  var sessions: [any Session] { [direct, injected, part.session] }
}

@Suite(.timeLimit(.minutes(20)))
struct LifetimeRaceTests {
  /// How the instances of one type are registered.
  enum Life: CaseIterable {
    case shared, weak, perGraph, scoped, new, perContainer

    /// A Boolean value that indicates whether all children share the instance of the container that registers it.
    var isForAll: Bool { self == .shared || self == .weak || self == .scoped }
  }

  private static func register(_ life: Life, in container: DIContainer) {
    switch life {
    case .shared: container.register(Shared { resolve in SessionImpl(resolve()) as any Session })
    case .weak: container.register(Weak { resolve in SessionImpl(resolve()) as any Session })
    case .perGraph: container.register(PerGraph { resolve in SessionImpl(resolve()) as any Session })
    case .scoped: container.register(Scoped(in: .session) { resolve in SessionImpl(resolve()) as any Session })
    case .new: container.register(New { resolve in SessionImpl(resolve()) as any Session })
    case .perContainer:
      container.register(Scoped(in: .container) { resolve in SessionImpl(resolve()) as any Session })
    }
    container.register {
      Shared(Origin("parent"))
      New { resolve in Page(resolve) }
      New(Page.Part())
    }
  }

  @Test("8 threads with PerGraph: no instance is seen by two graphs, also in children, overrides and property wrappers")
  func graphs() {
    let container = DIContainer()
    Self.register(.perGraph, in: container)
    let owners = Monitor<[ObjectIdentifier: Int]>([:])
    let kept = Monitor<[any Session]>([])
    let graphs = CallCounter()
    /// Says which graph an instance was seen in; it is kept so that no other one gets its address.
    let see = { @Sendable (graph: Int, sessions: [any Session]) in
      kept.change { $0 += sessions }
      owners.change { owners in
        for session in sessions {
          let owner = owners.updateValue(graph, forKey: ObjectIdentifier(session)) ?? graph
          precondition(owner == graph, "an instance of graph \(owner) in graph \(graph)")
        }
      }
    }
    onThreads(8) { thread in
      let child = DIContainer(parent: container)
      if thread % 2 == 0 { child.register(Shared(Origin("\(thread)"))) }
      let name = thread % 2 == 0 ? "\(thread)" : "parent"
      for _ in 0..<200 {
        let page = child.resolve(Page.self)
        precondition(page.sessions.allSatisfy { $0 === page.direct && $0.origin.name == name })
        see(graphs.call(), page.sessions)
        // Asked for later, it is a graph of its own, with the same overrides.
        precondition(page.later !== page.direct && page.later.origin.name == name)
        see(graphs.call(), [page.later])
        DIContainer.withCurrent(container) {
          DIContainer.withOverrides {
            Shared(Origin("override"))
          } perform: {
            let overridden = DIContainer.resolve(Page.self)
            precondition(
              overridden.sessions.allSatisfy { $0 === overridden.direct && $0.origin.name == "override" })
            see(graphs.call(), overridden.sessions)
          }
          let plain = DIContainer.resolve(Page.self)
          precondition(plain.sessions.allSatisfy { $0 === plain.direct && $0.origin.name == "parent" })
          see(graphs.call(), plain.sessions)
        }
      }
    }
    let (seen, expected) = (owners.change { Set($0.values) }, 8 * 200 * 4)
    #expect(seen.count == expected)
  }

  @Test("8 threads with a Shared inside of graphs: it keeps the instance of one graph, and the others never see that")
  func sharedInGraphs() {
    final class Holder: Sendable {
      let session: any Session
      init(_ session: any Session) { self.session = session }
    }
    struct Whole {
      let holder: Holder
      let session: any Session
    }
    for _ in 0..<50 {
      let container = DIContainer()
      Self.register(.perGraph, in: container)
      container.register {
        Shared { resolve in Holder(resolve()) }
        New { resolve in Whole(holder: resolve(), session: resolve()) }
      }
      let all = onThreads(8) { _ in container.resolve(Whole.self) }
      let holder = all[0].holder
      #expect(
        all.allSatisfy { $0.holder === holder } && all.filter { $0.session === holder.session }.count == 1
          && Set(all.map { ObjectIdentifier($0.session) }).count == 8)
    }
  }

  @Test("Weak: threads that resolve and let go never meet a dead instance, nor a second one while one lives")
  func release() {
    let container = DIContainer()
    let counter = LifetimeCounter()
    container.register(Weak({ Tracked(counter) }, as: Tracked.self, AnyObject.self))
    let held = Monitor<[ObjectIdentifier: Int]>([:])
    onThreads(6) { thread in
      let child = DIContainer(parent: container)
      for round in 0..<ModelSeeds.rounds(800) {
        let instance: Tracked =
          switch (thread + round) % 3 {
          case 0: container.resolve()
          case 1: child.resolve(Tracked?.self)!
          default: container.resolve(AnyObject.self) as! Tracked
          }
        precondition(instance.token.isIntact)
        // Whoever is on the list holds an instance until it is off again.
        held.change { held in
          held[ObjectIdentifier(instance), default: 0] += 1
          precondition(held.count == 1, "two instances are alive")
        }
        if round % 7 == 0 { letOthersRun() }
        held.change { held in
          let holders = held[ObjectIdentifier(instance)]! - 1
          held[ObjectIdentifier(instance)] = holders == 0 ? nil : holders
        }
        withExtendedLifetime(instance) {}
      }
    }
    #expect(counter.alive == 0 && counter.created > 0)
  }

  @Test("A resolution that begins after the end of a scope gets nothing from before it, in a parent and in a child")
  func scopes() {
    /// Knows how many ends of the scope had begun when it was made: all of them, and those that reach the child.
    final class Stamped: Sendable {
      let ends: (all: Int, ofChild: Int)
      let part: Stamped?
      init(_ ends: (Int, Int), _ part: Stamped?) { (self.ends, self.part) = (ends, part) }
    }
    let (begun, done, isOver) = (CallCounter(), CallCounter(), Flag())
    let (begunInChild, doneInChild) = (CallCounter(), CallCounter())
    let container = DIContainer()
    container.register {
      Scoped(in: .session) { Stamped((begun.count, begunInChild.count), nil) }
      Scoped(
        in: .session, { resolve in Stamped((begun.count, begunInChild.count), resolve(Stamped.self)) },
        named: "inherited")
    }
    let child = DIContainer(parent: container)
    child.register(
      Scoped(
        in: .session, { resolve in Stamped((begun.count, begunInChild.count), resolve(Stamped.self)) }, named: "child"))
    onThreads(5) { thread in
      if thread == 0 {
        for round in 0..<ModelSeeds.rounds(600) {
          begun.call()
          if round % 2 == 0 {
            container.reset(.session)
          } else {
            begunInChild.call()
            child.reset(.session)
            doneInChild.call()
          }
          done.call()
          if round % 5 == 0 { letOthersRun() }
        }
        isOver.set()
        return
      }
      var round = thread
      while !isOver.isSet {
        round += 1
        let (ends, endsOfChild) = (done.count, doneInChild.count)
        if round % 4 == 0 {
          // What the child registers itself ends with the child's scope only.
          let stamped: Stamped = child.resolve(named: "child")
          precondition(stamped.ends.ofChild >= endsOfChild, "made before the end of the scope")
          precondition(stamped.part!.ends.ofChild >= endsOfChild, "made of something from before the end of the scope")
        } else {
          let stamped: Stamped =
            switch round % 4 {
            case 1: container.resolve()
            case 2: child.resolve()
            default: child.resolve(named: "inherited")
            }
          precondition(stamped.ends.all >= ends, "made before the end of the scope")
          precondition(
            stamped.part.map { $0.ends.all >= ends } ?? true, "made of something from before the end of the scope")
        }
      }
    }
    #expect(done.count == ModelSeeds.rounds(600))
  }

  @Test(
    "What children with overrides build never reaches their parent or each other, nor what the parent keeps for all",
    arguments: Life.allCases)
  func overrides(_ life: Life) {
    let container = DIContainer()
    Self.register(life, in: container)
    let kept = Monitor<[any Session]>([])
    onThreads(8) { thread in
      let name = thread % 4 == 0 ? "parent" : "\(thread)"
      let expected = life.isForAll ? "parent" : name
      for round in 0..<150 {
        let child = DIContainer(parent: container)
        if name != "parent" { child.register(Shared(Origin(name))) }
        let page = child.resolve(Page.self)
        precondition((page.sessions + [page.later]).allSatisfy { $0.origin.name == expected })
        if life == .perContainer { precondition((page.sessions + [page.later]).allSatisfy { $0 === page.direct }) }
        let plain = container.resolve(Page.self)
        precondition((plain.sessions + [plain.later]).allSatisfy { $0.origin.name == "parent" })
        if life == .scoped, round % 10 == thread { container.reset(.session) }
        if round % 8 == 0 { kept.change { $0.append(plain.direct) } }
      }
    }
    #expect(kept.change { $0.allSatisfy { $0.origin.name == "parent" } })
  }

  @Test(
    "While a child creates its own instance, the parent registers the type again",
    arguments: [Life.perGraph, .perContainer])
  func replacement(_ life: Life) {
    let (parent, begun) = (DIContainer(), Event())
    Self.register(life, in: parent)
    let child = DIContainer(parent: parent)
    child.register(
      New {
        begun.signal()
        return Origin("child")
      })
    // Nothing orders the end of the creation and the registration, so the thread sanitizer sees what no lock guards.
    let done = onThreads(2) { thread in
      if thread == 0 { return child.resolve((any Session).self).origin.name == "child" }
      let isInTime = begun.wait()
      Self.register(life, in: parent)
      return isInTime
    }
    #expect(done == [true, true])
  }
}
