internal import DependencyInjection
internal import Testing

// Cycles through several threads.
extension CycleTests {
  @Test("Two threads that need each other's Shared both fail, and never hang, 300 times over")
  func twoThreads() {
    var codes: [ResolutionError.Code?: Int] = [:]
    for round in 0..<300 {
      let container = DIContainer()
      let rendezvous = Rendezvous(of: 2)
      let first = CallCounter()
      let second = CallCounter()
      container.register {
        Shared { resolve in
          if first.call() == 1 { rendezvous.meet() }
          _ = try resolve.tryResolve(Node<B>.self)
          return Node<A>()
        }
        Shared { resolve in
          if second.call() == 1 { rendezvous.meet() }
          _ = try resolve.tryResolve(Node<A>.self)
          return Node<B>()
        }
      }
      let errors = onThreads(2) { index in
        index == 0
          ? failure { try container.tryResolve(Node<A>.self) } : failure { try container.tryResolve(Node<B>.self) }
      }
      for error in errors {
        codes[error?.code, default: 0] += 1
        let path = error?.path ?? []
        #expect(path.count >= 3, "round \(round): \(path)")
        #expect(Set(path) == ["Node<A>", "Node<B>"], "round \(round): \(path)")
        #expect(path.first == path.last, "round \(round): \(path)")
      }
      #expect(errors.contains { $0?.description.contains("depends on itself, across threads.") == true })
      #expect(first.count == 1 && second.count == 1, "the one that waits gets the error of the other")
    }
    #expect(codes == [.cycle: 600])
  }

  @Test("Three threads in a cycle find it, with every type in the path")
  func threeThreads() {
    for _ in 0..<100 {
      let container = DIContainer()
      let rendezvous = Rendezvous(of: 3)
      let calls = [CallCounter(), CallCounter(), CallCounter()]
      func link<From, To>(_ number: Int, _: From.Type, _: To.Type) -> Shared {
        Shared { resolve in
          if calls[number].call() == 1 { rendezvous.meet() }
          _ = try resolve.tryResolve(Node<To>.self)
          return Node<From>()
        }
      }
      container.register {
        link(0, A.self, B.self)
        link(1, B.self, C.self)
        link(2, C.self, A.self)
      }
      let errors = onThreads(3) { index in
        switch index {
        case 0: failure { try container.tryResolve(Node<A>.self) }
        case 1: failure { try container.tryResolve(Node<B>.self) }
        default: failure { try container.tryResolve(Node<C>.self) }
        }
      }
      #expect(errors.allSatisfy { $0?.code == .cycle } && errors.contains { Set($0?.path ?? []).count == 3 })
    }
  }

  @Test("The path of a cycle across threads has the factories between two waits")
  func between() {
    for _ in 0..<100 {
      let container = DIContainer()
      let rendezvous = Rendezvous(of: 2)
      container.register {
        Shared { resolve in
          _ = try resolve.tryResolve(Node<B>.self)
          return Node<A>()
        }
        Shared { resolve in
          rendezvous.meet()
          _ = try resolve.tryResolve(Node<C>.self)
          return Node<B>()
        }
        Shared { resolve in
          rendezvous.meet()
          _ = try resolve.tryResolve(Node<A>.self)
          return Node<C>()
        }
      }
      let errors = onThreads(2) { index in
        index == 0
          ? failure { try container.tryResolve(Node<A>.self) } : failure { try container.tryResolve(Node<C>.self) }
      }
      for error in errors { #expect(Set(error?.path ?? []).count == 3, "\(error?.path ?? [])") }
    }
  }

  @Test("A factory that tolerates the cycle across threads gets its instance")
  func tolerated() {
    for _ in 0..<50 {
      let container = DIContainer()
      let rendezvous = Rendezvous(of: 2)
      let calls = CallCounter()
      container.register {
        Shared { resolve in
          if calls.call() <= 2 { rendezvous.meet() }
          return Node<A>("\((try? resolve.tryResolve(Node<B>.self)) != nil)")
        }
        Shared { resolve in
          if calls.call() <= 2 { rendezvous.meet() }
          return Node<B>("\((try? resolve.tryResolve(Node<A>.self)) != nil)")
        }
      }
      let texts = onThreads(2) { index in
        index == 0 ? container.resolve(Node<A>.self).text : container.resolve(Node<B>.self).text
      }
      #expect(Set(texts) == ["true", "false"], "one of them has gone without the other")
    }
  }
}
