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

  struct SceneForm: Sendable {
    let name: String
    let registration: any Registration
    init(_ name: String, _ registration: any Registration) { (self.name, self.registration) = (name, registration) }
  }

  @Test("A main actor registration resolves on the main actor, and an instance that exists anywhere")
  @MainActor func onMain() async {
    for form in Self.forms {
      let container = DIContainer()
      container.register(form.registration)
      let scene = container.resolve((any Scene).self)
      #expect((scene as? MainScene)?.wasOnMain == true && container.resolve((any Scene)?.self) != nil, "\(form.name)")
      if form.registration is New { continue }
      let identity = ObjectIdentifier(scene)
      let found = [
        onAnotherThread { ObjectIdentifier(container.resolve((any Scene).self)) },
        await Task.detached { ObjectIdentifier(container.resolve((any Scene).self)) }.value,
        onAnotherThread { ObjectIdentifier(DIContainer(parent: container).resolve((any Scene).self)) },
      ]
      #expect(found == [identity, identity, identity], "\(form.name)")
    }
  }

  @Test(
    "A main actor registration that has to be created elsewhere is an error, and resolveAsync creates it there, once",
    .timeLimit(.minutes(20)))
  func elsewhere() async throws {
    for form in Self.forms {
      let container = DIContainer()
      container.register(form.registration)
      let here = failure { try container.tryResolve((any Scene).self) }?.code
      let onThread = onAnotherThread { failure { try container.tryResolve((any Scene).self) }?.code }
      #expect([here, onThread] == [.wrongActor, .wrongActor], "\(form.name)")
      let first = try await Transfer(container.resolveAsync((any Scene).self)).value
      let second = try await Task.detached { try await Transfer(container.resolveAsync((any Scene).self)) }.value.value
      #expect((first === second) == (form.registration is Shared), "\(form.name)")
    }
    // The main actor is known on it only.
    do {
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
  }

  @Test("The error names the type, its registration, the only actor on which the factory runs, and both ways out")
  func text() async throws {
    let container = DIContainer()
    let line = #line + 1
    container.register(Shared(onMain: MainScene() as any Scene))
    #expect(
      failure { try container.tryResolve((any Scene).self) }?.description == """
        'Scene' has to be created on the main actor.
          resolving  Scene
          asked at   \(place(line + 1))
          registered \(place(line))
          note       use `try await resolveAsync(Scene.self)`, or resolve it on the main actor first: \
        an instance that exists is returned anywhere
        """)
    // A synchronous factory cannot await it.
    container.register(New { resolve in try [resolve.tryResolve((any Scene).self)] })
    let existing = ", or resolve it on the main actor first: an instance that exists is returned anywhere"
    #expect(
      failure { try container.tryResolve([any Scene].self) }?.notes == [
        "await it in the factory of 'Array<Scene>', `try await resolve.resolveAsync(Scene.self)`, and pass it to the "
          + "initializer, as `autowire:` does" + existing
      ])
    // A factory of another actor runs on that actor only.
    do {
      let container = DIContainer()
      container.register(New { @TestActor in Isolated.make() })
      let error = failure { try container.tryResolve(Isolated.self) }
      #expect(
        error?.code == .wrongActor
          && error?.description.hasPrefix("'Isolated' has to be created on the actor 'TestActor'.") == true)
      let code = await onTestActor { failure { try container.tryResolve(Isolated.self) }?.code }
      #expect(code == nil)
      let onMain = await MainActor.run { failure { try container.tryResolve(Isolated.self) }?.code }
      #expect(onMain == .wrongActor)
    }
  }

  @Test("An isolated factory resolves what it needs, and what it has made is returned anywhere, under each alias")
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
    #expect(
      [container.resolve(Screen.self).config?.name, container.resolve(String.self) { "in " }] == [
        "production", "in production",
      ])
    // An existing instance with an isolated conformance is returned anywhere, also under its second alias.
    do {
      let container = DIContainer()
      container.register(Shared({ @MainActor in Screen() }, as: Screen.self, (any Router).self))
      let screen = ObjectIdentifier(container.resolve(Screen.self))
      let code = onAnotherThread { failure { try container.tryResolve((any Router).self) }?.code }
      #expect(
        code == nil && ObjectIdentifier(container.resolve((any Router).self)) == screen
          && onAnotherThread { ObjectIdentifier(container.resolve((any Router).self)) } == screen)
    }
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
    #expect(await asyncFailure { try await container.resolveAsync(Bool.self) }?.brief == "wrongActor: Bool Scene")
    #expect(calls.count == 1, "it is not tried again elsewhere")
    // On the same actor, the scene may be created on the way, and then anything may use it.
    let scenes = try await container.resolveAsync([ObjectIdentifier].self)
    #expect(try await container.resolveAsync(Bool.self))
    #expect(scenes == [ObjectIdentifier(container.resolve((any Scene).self))])
  }

  @TestActor
  private func onTestActor<Result: Sendable>(_ body: @TestActor @Sendable () -> Result) -> Result { body() }
}
