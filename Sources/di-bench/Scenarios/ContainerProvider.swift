internal import DependencyInjection

/// The shared container through its static methods, as apps use it.
struct ContainerProvider: Provider {
  /// How many types are registered with each provider: what a middling app has.
  static let registrationCount = 100

  /// The only one: registering again would replace the instance that another loop expects.
  static let installed = ContainerProvider()

  private init() {
    DIContainer.register {
      Shared(ServiceImpl(launchArguments: CommandLine.arguments.count) as any Service)
      Shared(BoundServices.make())
      Shared(StoreImpl() as any Store)
      Shared(Settings.make())
      Shared(Session.make())
      Shared(LaneImpl() as any LaneA)
      Shared(LaneImpl() as any LaneB)
      Shared(LaneImpl() as any LaneC)
      Shared(LaneImpl() as any LaneD)
      Shared(RevisionImpl(number: 0) as any Revision)
      New { resolve in ViewModelImpl(resolve(), resolve(), resolve()) as any ViewModel }
      New(ItemImpl() as any Item)
      New { (_, id: Int, name: String) in LabelledImpl(id: id, name: name) as any Labelled }
      New(Chain.Link1(Chain.End()))
      New { resolve in Chain.Link2(resolve()) }
      New { resolve in Chain.Link3(resolve()) }
      New { resolve in Chain.Link4(resolve()) }
      New { resolve in Chain.Link5(resolve()) }
      New { resolve in Chain.Link6(resolve()) }
      New { resolve in Chain.Link7(resolve()) }
      New { resolve in Chain.Link8(resolve()) }
      New { resolve in Chain.Link9(resolve()) }
      New { resolve in Chain.Last(resolve()) }
      ContainerPaths.module
    }
    let count = DIContainer.shared.registry().records.count
    for key in Keys.all.prefix(Self.registrationCount - count) { Self.register(key, with: DIContainer.shared) }
  }

  var registrations: Int? { Self.registrationCount }

  func service() -> any Service { DIContainer.resolve() }
  func boundService() -> any BoundService { DIContainer.resolve() }
  func store() -> any Store { DIContainer.resolve() }
  func settings() -> Settings { DIContainer.resolve() }
  func session() -> Session { DIContainer.resolve() }
  func laneA() -> any LaneA { DIContainer.resolve() }
  func laneB() -> any LaneB { DIContainer.resolve() }
  func laneC() -> any LaneC { DIContainer.resolve() }
  func laneD() -> any LaneD { DIContainer.resolve() }
  func viewModel() -> any ViewModel { DIContainer.resolve() }
  func item() -> any Item { DIContainer.resolve() }
  func labelled(id: Int, name: String) -> any Labelled { DIContainer.resolve { (id, name) } }
  func chain() -> Chain.Last { DIContainer.resolve() }

  fileprivate static func register<Value: Keyed>(_: Value.Type, with container: DIContainer) {
    container.register(New(Value()))
  }
}

extension ContainerProvider: Overridable {
  func override(revision: Int) {
    DIContainer.register(Shared(RevisionImpl(number: revision) as any Revision))
  }

  func revision() -> any Revision { DIContainer.resolve() }
}

/// A container of its own.
struct ContainerRegistrar: Registrar {
  private let container = DIContainer()

  var count: Int { container.registry().records.count }

  func register<Value: Keyed>(_ type: Value.Type) {
    ContainerProvider.register(type, with: container)
  }

  func create<Value: Keyed>(_ type: Value.Type) -> Value? {
    try? container.tryResolve(type)
  }
}
