internal import DIBenchmarking
internal import DependencyInjection

/// The shared container, as apps use it through the static methods.
struct ContainerProvider {
  /// The number of types that are registered with it and with its references, as in a medium-sized app.
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
      Shared(ThreadServiceImpl() as any ThreadServiceA)
      Shared(ThreadServiceImpl() as any ThreadServiceB)
      Shared(ThreadServiceImpl() as any ThreadServiceC)
      Shared(ThreadServiceImpl() as any ThreadServiceD)
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
    for key in Keys.all.prefix(Self.registrationCount - DIContainer.shared.count) { DIContainer.shared.register(key) }
  }
}

extension DIContainer {
  func register<Value: Keyed>(_: Value.Type) { register(New(Value())) }
  func override(revision: Int) { register(Shared(RevisionImpl(number: revision) as any Revision)) }
  var count: Int { registrations.count }
}
