internal import DependencyInjection
internal import Testing

/// An actor of the tests' own.
@globalActor
actor TestActor {
  static let shared = TestActor()
}

@TestActor
final class Isolated {
  nonisolated init() {}
  @TestActor static func make() -> Isolated { Isolated() }
}

/// A main actor type whose conformances have nothing to isolate.
protocol Scene: AnyObject {}

@MainActor
final class MainScene: nonisolated Scene {
  let wasOnMain: Bool
  init() {
    MainActor.assertIsolated()
    wasOnMain = true
  }
}

@Suite("Isolation")
struct IsolationTests {
  /// Every form that keeps the main actor.
  static let forms: [SceneForm] = [
    SceneForm("closure", Shared { @MainActor in MainScene() as any Scene }),
    SceneForm("resolver closure", Shared { @MainActor (_: Resolver) in MainScene() as any Scene }),
    SceneForm("closure, as:", Shared({ @MainActor in MainScene() }, as: (any Scene).self)),
    SceneForm("resolver closure, as:", Shared({ @MainActor (_: Resolver) in MainScene() }, as: (any Scene).self)),
    SceneForm("onMain", Shared(onMain: MainScene() as any Scene)),
    SceneForm("onMain, as:", Shared(onMain: MainScene(), as: (any Scene).self)),
    SceneForm("init, as:", Shared(MainScene.init, as: (any Scene).self)),
    SceneForm("New closure", New { @MainActor in MainScene() as any Scene }),
    SceneForm("New onMain", New(onMain: MainScene() as any Scene)),
    SceneForm("New init, as:", New(MainScene.init, as: (any Scene).self)),
  ]

  struct SceneForm: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let registration: any Registration
    init(_ description: String, _ registration: any Registration) {
      testDescription = description
      self.registration = registration
    }
  }

  @Test("A main actor registration resolves on the main actor", arguments: forms)
  @MainActor func onMain(form: SceneForm) {
    let container = DIContainer()
    container.register(form.registration)
    #expect((container.resolve((any Scene).self) as? MainScene)?.wasOnMain == true)
    #expect(container.resolve((any Scene)?.self) != nil)
  }

  @Test("A main actor registration that has to be created elsewhere is an error", arguments: forms)
  func elsewhere(form: SceneForm) {
    let container = DIContainer()
    container.register(form.registration)
    #expect(failure { try container.tryResolve((any Scene).self) }?.code == .wrongActor)
    let onThread = onAnotherThread { Transfer(failure { try container.tryResolve((any Scene).self) }) }
    #expect(onThread.value?.code == .wrongActor)
  }

  @Test("The error names the type, its registration and both ways out")
  func text() throws {
    let container = DIContainer()
    let line = #line + 1
    container.register(Shared(onMain: MainScene() as any Scene))
    let error = try #require(failure { try container.tryResolve((any Scene).self) })
    #expect(
      error.description == """
        'Scene' has to be created on the main actor.
          resolving  Scene
          asked at   \(place(line + 1))
          registered \(place(line))
          note       use `await resolveAsync(Scene.self)`, or resolve it on the main actor first: \
        an instance that exists is returned anywhere
        """)
  }

  @Test("resolveAsync creates it on the main actor, from anywhere, and once", arguments: forms)
  func async(form: SceneForm) async throws {
    let container = DIContainer()
    container.register(form.registration)
    let first = try await Transfer(container.resolveAsync((any Scene).self))
    let second = try await Task.detached { try await Transfer(container.resolveAsync((any Scene).self)) }.value
    if form.registration is Shared { #expect(ObjectIdentifier(first.value) == ObjectIdentifier(second.value)) }
  }

  @Test("An instance that exists is returned anywhere", arguments: forms.prefix(7))
  @MainActor func existing(form: SceneForm) async {
    let container = DIContainer()
    container.register(form.registration)
    let scene = container.resolve((any Scene).self)
    let identity = ObjectIdentifier(scene)
    let onThread = onAnotherThread { ObjectIdentifier(container.resolve((any Scene).self)) }
    #expect(onThread == identity)
    let inTask = await Task.detached { ObjectIdentifier(container.resolve((any Scene).self)) }.value
    #expect(inTask == identity)
    let throughChild = onAnotherThread { ObjectIdentifier(DIContainer(parent: container).resolve((any Scene).self)) }
    #expect(throughChild == identity)
  }

  @Test("The main actor is known on it only", .timeLimit(.minutes(20)))
  func hopping() async {
    let container = DIContainer()
    container.register(New(onMain: MainScene() as any Scene))
    func tryHere() -> ResolutionError.Code? { failure { try container.tryResolve((any Scene).self) }?.code }
    for _ in 0..<20 {
      #expect(tryHere() == .wrongActor)
      await MainActor.run {
        #expect(failure { try container.tryResolve((any Scene).self) }?.code == nil)
      }
      let detached = await Task.detached { failure { try container.tryResolve((any Scene).self) }?.code }.value
      #expect(detached == .wrongActor)
      let onOther = await onTestActor { failure { try container.tryResolve((any Scene).self) }?.code }
      #expect(onOther == .wrongActor)
    }
  }

  @Test("A factory of another actor runs on that actor only")
  func otherActor() async throws {
    let container = DIContainer()
    container.register(New { @TestActor in Isolated.make() })
    let error = try #require(failure { try container.tryResolve(Isolated.self) })
    #expect(error.code == .wrongActor)
    #expect(error.description.hasPrefix("'Isolated' has to be created on its actor, TestActor."))
    let code = await onTestActor { failure { try container.tryResolve(Isolated.self) }?.code }
    #expect(code == nil)
    let onMain = await MainActor.run { failure { try container.tryResolve(Isolated.self) }?.code }
    #expect(onMain == .wrongActor)
  }

  @Test("An isolated factory resolves what it needs, arguments included")
  @MainActor func dependencies() {
    let container = DIContainer()
    container.register {
      Shared(AppConfigurationImpl() as any AppConfiguration)
      New { @MainActor resolve in Screen(config: resolve()) }
      New { @MainActor (resolve: Resolver, name: String) in
        MainActor.assertIsolated()
        return name + resolve((any AppConfiguration).self).name
      }
    }
    #expect(container.resolve(Screen.self).config?.name == "production")
    #expect(container.resolve(String.self) { "in " } == "in production")
  }

  @Test("resolveAsync hops to the actor of the registration it finds, and not to those of what the factory resolves")
  func asyncDependency() async throws {
    let container = DIContainer()
    let calls = CallCounter()
    container.register {
      Shared(onMain: MainScene() as any Scene)
      New { @MainActor resolve in
        MainActor.assertIsolated()
        return try [ObjectIdentifier(resolve.tryResolve((any Scene).self))]
      }
      New { resolve in
        calls.call()
        return try resolve.tryResolve((any Scene).self) is MainScene
      }
    }
    let error = await #expect(throws: ResolutionError.self) { try await container.resolveAsync(Bool.self) }
    #expect(error?.code == .wrongActor && error?.path == ["Bool", "Scene"])
    #expect(calls.count == 1, "it is not tried again elsewhere")
    // On the same actor, the scene may be created on the way, and then anything may use it.
    let scenes = try await container.resolveAsync([ObjectIdentifier].self)
    #expect(try await container.resolveAsync(Bool.self))
    #expect(scenes == [ObjectIdentifier(container.resolve((any Scene).self))])
  }

  @Test("An existing instance with an isolated conformance is returned anywhere, also under its second alias")
  @MainActor func isolatedConformance() {
    let container = DIContainer()
    container.register(Shared({ @MainActor in Screen() }, as: Screen.self, (any Router).self))
    let screen = ObjectIdentifier(container.resolve(Screen.self))
    let code = onAnotherThread { failure { try container.tryResolve((any Router).self) }?.code }
    #expect(code == nil)
    #expect(ObjectIdentifier(container.resolve((any Router).self)) == screen)
    #expect(onAnotherThread { ObjectIdentifier(container.resolve((any Router).self)) } == screen)
  }

  @TestActor
  private func onTestActor<Result: Sendable>(_ body: @TestActor @Sendable () -> Result) -> Result { body() }
}
