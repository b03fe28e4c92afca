internal import DependencyInjection
internal import Testing

struct ParentTests {
  let parent = DIContainer()
  let child: DIContainer
  let grandchild: DIContainer

  init() {
    child = DIContainer(parent: parent)
    grandchild = DIContainer(parent: child)
    parent.register {
      Shared(AppConfigurationImpl("production") as any AppConfiguration)
      Shared { resolve in RouterImpl(config: resolve()) as any Router }
      New { resolve in ConcreteViewModel(id: resolve((any AppConfiguration).self).name) as any ViewModel }
    }
  }

  private func override(_ container: DIContainer, _ name: String = "test") {
    container.register(Shared(AppConfigurationImpl(name) as any AppConfiguration))
  }

  @Test("An optional that only the child has is nil for what the parent keeps", arguments: [false, true])
  func optional(parentFirst: Bool) {
    struct Screenplay { let player: (any MediaPlayer)? }
    parent.register {
      Shared { resolve in Screenplay(player: resolve()) }
      New({ resolve in Screenplay(player: resolve()) }, named: "new")
    }
    if parentFirst { #expect(parent.resolve(Screenplay.self).player == nil) }
    child.register(Shared(PlayerObject() as any MediaPlayer))
    #expect(
      child.resolve(Screenplay.self).player == nil
        && child.resolve(Screenplay.self, named: "new").player is PlayerObject
        && parent.resolve(Screenplay.self).player == nil)
    #expect(parent.resolve(Screenplay.self, named: "new").player == nil)
  }

  @Test("What the middle level registers is its instance for the level below, too", arguments: [false, true])
  func middle(grandchildFirst: Bool) {
    override(child)
    override(grandchild, "unseen")
    child.register(Shared { resolve in RouterImpl(config: resolve()) as any Router })
    let first = grandchildFirst ? grandchild.resolve((any Router).self) : child.resolve((any Router).self)
    #expect(
      first.config?.name == "test" && child.resolve((any Router).self) === first
        && grandchild.resolve((any Router).self) === first)
    #expect(parent.resolve((any Router).self).config?.name == "production")
  }

  @Test("In a copy, an override reaches what the copies of the ancestors keep, and no level below hides it")
  func copy() {
    override(child, "child")
    let router = grandchild.resolve((any Router).self)
    DIContainer.withCurrent(grandchild) {
      DIContainer.withOverrides {
        Shared(AppConfigurationImpl("override") as any AppConfiguration)
      } perform: {
        #expect(
          [
            DIContainer.resolve((any AppConfiguration).self).name, DIContainer.resolve((any ViewModel).self).id,
            DIContainer.resolve((any Router).self).config?.name,
          ] == ["override", "override", "override"])
      }
    }
    #expect(
      grandchild.resolve((any Router).self) === router && router.config?.name == "production"
        && grandchild.resolve((any AppConfiguration).self).name == "child")
  }

  @Test("16 threads that race through children and the parent create one instance, or one for each container")
  func race() {
    for _ in 0..<100 {
      let parent = DIContainer()
      let calls = CallCounter()
      parent.register {
        Shared("production")
        Shared { resolve in
          calls.call()
          return AppConfigurationImpl(resolve())
        }
        Scoped(in: .container, { resolve in AppConfigurationImpl(resolve()) }, named: "own")
      }
      let containers = [parent, DIContainer(parent: parent), DIContainer(parent: parent), DIContainer(parent: parent)]
      containers[1].register(Shared("first"))
      containers[2].register(Shared("second"))
      let seen = onThreads(16) { index in
        let container = containers[index % 4]
        let kept = container.resolve(AppConfigurationImpl.self)
        return Transfer((kept, container.resolve(AppConfigurationImpl.self, named: "own")))
      }
      let kept = parent.resolve(AppConfigurationImpl.self)
      #expect(seen.allSatisfy { $0.value.0 === kept } && kept.name == "production" && calls.count == 1)
      for (index, name) in ["production", "first", "second", "production"].enumerated() {
        let own = containers[index].resolve(AppConfigurationImpl.self, named: "own")
        #expect(own.name == name && stride(from: index, to: 16, by: 4).allSatisfy { seen[$0].value.1 === own })
      }
      #expect(Set(seen.map { ObjectIdentifier($0.value.1) }).count == 4)
    }
  }
}
