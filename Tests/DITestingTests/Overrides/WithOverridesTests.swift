import DITesting
import DependencyInjection
import Testing

/// Registrations with an instance that the container keeps, built from another one.
private let registrations = Module {
  appRegistrations
  Shared { resolve in Service(router: resolve()) }
}

@Suite(.expectingIssues, .isolatedContainer(.empty) { registrations })
struct WithOverridesTests {
  @Test("creates everything anew, leaves nothing of it outside, and has the values that the test overrides with")
  func isCopy() {
    do {
      let service = DIContainer.resolve(Service.self)
      weak var inside: Service?
      DIContainer.withOverrides {
        Shared(MockRouter() as any Router)
      } perform: {
        let created = DIContainer.resolve(Service.self)
        inside = created
        #expect(created !== service && created.router.name == "mock")
        #expect(DIContainer.resolve(Service.self) === created, "once")
        DIContainer.register(Shared("inside"))
        #expect(DIContainer.resolve(String?.self) == "inside")
      }
      #expect(inside == nil, "released with the copy")
      #expect(DIContainer.resolve(Service.self) === service && DIContainer.resolve(String?.self) == nil)
    }
    do {
      let mock = MockRouter()
      DIContainer.override((any Router).self, with: mock)
      DIContainer.withOverrides {
        New(7)
      } perform: {
        #expect(DIContainer.resolve(Service.self).router === mock)
      }
      expectOverridesResolved()
    }
  }

  @Test("contains the overrides that are made inside, and is seen by a trace of the test's container")
  func overrideInside() {
    // Contains the overrides that are made inside, and the test expects them to be resolved, too.
    withIsolatedContainer {
      let service = DIContainer.resolve(Service.self)
      let line = #line + 9
      DIContainer.withOverrides {
        New(MockRouter("closure") as any Router)
      } perform: {
        let first = DIContainer.resolve(Service.self)
        DIContainer.override((any Router).self, with: MockRouter("override"))
        let second = DIContainer.resolve(Service.self)
        #expect((first.router.name, second.router.name) == ("closure", "override"))
        expectOverridesResolved()
        DIContainer.override(Int.self, with: 1)
      }
      #expect(DIContainer.resolve(Service.self) === service && DIContainer.resolve(Int?.self) == nil)
      expectFailure(
        """
        Expected every override to be resolved, but nothing resolved this one:
          Int (DITestingTests/WithOverridesTests.swift:\(line))
        """
      ) { expectOverridesResolved() }
    }
    withIsolatedContainer {
      let seen = Locked<[[String]]>([])
      let trace = DIContainer.current.trace { event in
        let path = event.path
        seen.withLock { $0.append(path) }
      }
      DIContainer.withOverrides {
        New(MockRouter() as any Router)
      } perform: {
        _ = DIContainer.resolve(HomeViewModel.self)
        trace.stop()
        _ = DIContainer.resolve(HomeViewModel.self)
      }
      #expect(seen.withLock { $0 } == [["HomeViewModel", "Router"], ["HomeViewModel"]])
      expectResolved(HomeViewModel.self, times: 2)
    }
  }

  @Test("counts for the test, once, also inside of a child of its container, and its container counts alone")
  func counts() {
    withIsolatedContainer {
      _ = DIContainer.resolve(Service.self)
      DIContainer.withOverrides {
        Shared(MockRouter() as any Router)
      } perform: {
        expectNotResolved(Service.self, in: .current)
        _ = (DIContainer.resolve(Service.self), DIContainer.resolve(Service.self))
        expectResolved(Service.self, times: 2, in: .current)
        expectCreated(Service.self, times: 1, in: .current)
        expectResolved((any Router).self, times: 1, in: .current)
        expectResolvedInOrder((any Router).self, Service.self, in: .current)
        expectResolved(Service.self, times: 3)
      }
      expectResolved(Service.self, times: 3)
      expectCreated(Service.self, times: 2)
      expectResolved((any Router).self, times: 2)
      #expect(
        (DIContainer.resolveCount(of: Service.self), DIContainer.resolutions(of: Service.self).map(\.isCreated)) == (
          3, [true, true, false]
        ))
    }
    withIsolatedContainer {
      let request = DIContainer(parent: .current)
      request.register(Shared(MockRouter("request") as any Router))
      DIContainer.withCurrent(request) {
        DIContainer.withOverrides {
          Shared(MockRouter("override") as any Router)
        } perform: {
          _ = DIContainer.resolve(Service.self)
          expectResolved(Service.self, times: 1, in: .current)
        }
      }
      expectResolved(Service.self, times: 1)
      expectCreated(Service.self, times: 1)
      expectResolved((any Router).self, times: 1)
    }
  }

  @Test("counts in the closures around it and inside of it, and once where another one is inside of it")
  func closures() async {
    // Counts in the closures around it and inside of it, with the tasks that it starts and what it wraps.
    await withIsolatedContainer {
      await expectResolved((any Router).self, times: 4) {
        await DIContainer.withOverrides {
          Shared(MockRouter() as any Router)
        } perform: {
          expectResolved((any Router).self, times: 1) { _ = DIContainer.resolve((any Router).self) }
          async let child = DIContainer.resolve((any Router).self).name
          let task = Task { DIContainer.resolve((any Router).self).name }
          let wrapped = DIContainer.escaping { DIContainer.resolve((any Router).self).name }
          let names = await [child, task.value, Task.detached { wrapped() }.value]
          #expect(names == ["mock", "mock", "mock"])
        }
      }
      expectCreated((any Router).self, times: 1)
    }
    // Counts once where another one is inside of it, which starts with its overrides.
    withIsolatedContainer {
      DIContainer.withOverrides {
        New(MockRouter("outer") as any Router)
      } perform: {
        DIContainer.withOverrides {
          New(7)
        } perform: {
          #expect((DIContainer.resolve(Service.self).router.name, DIContainer.resolve(Int?.self)) == ("outer", 7))
          expectResolved(Service.self, times: 1, in: .current)
        }
        #expect(DIContainer.resolve(Int?.self) == nil)
      }
      expectResolved(Service.self, times: 1)
      expectResolved((any Router).self, times: 1)
    }
  }
}
