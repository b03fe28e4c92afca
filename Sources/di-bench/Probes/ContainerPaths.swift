internal import DependencyInjection

/// The hot paths through the shared container.
struct ContainerPaths: HotPaths {
  init() { _ = ContainerProvider.installed }

  /// The registrations that only the probes need.
  static let module = Module {
    Shared(ServiceImpl(launchArguments: 2) as any Service, named: .probe)
    New(ProbeObject())
    New(ProbePartImpl() as any ProbePart)
    New { (_, number: Int) in NumberedPartImpl(number: number) as any NumberedPart }
  }

  // Inlined, because the compiler may merge it with the others that return an existential and pass the type as a
  // parameter, depending on what else is in the module: that is a tenth of the cost of the path.
  @inline(__always) func service() -> any Service { DIContainer.resolve() }
  @inline(__always) func declaredService() -> any Service { DIContainer.declaredService() }
  func namedService() -> any Service { DIContainer.resolve(named: .probe) }
  func boundService() -> any BoundService { DIContainer.resolve() }
  func store() -> any Store { DIContainer.resolve() }
  func settings() -> Settings { DIContainer.resolve() }
  func session() -> Session { DIContainer.resolve() }
  func object() -> ProbeObject { DIContainer.resolve() }
  func part() -> any ProbePart { DIContainer.resolve() }
  func part(number: Int) -> any NumberedPart { DIContainer.resolve { number } }
  func viewModel() -> any ViewModel { DIContainer.resolve() }
  func chain() -> Chain.Last { DIContainer.resolve() }
  func missing() -> (any MissingPart)? { DIContainer.resolve() }
  func eager() -> Eager { Eager() }
  func lazy() -> Lazy { Lazy() }

  struct Eager: ServiceOwner {
    @Inject var service: any Service
  }

  struct Lazy: ServiceOwner {
    @LazyInject var service: any Service
  }
}

extension DependencyName {
  fileprivate static let probe: Self = "probe"
}

extension DIContainer {
  static let declaredService = Dependency<any Service>(.shared) { ServiceImpl(launchArguments: 3) }
}
