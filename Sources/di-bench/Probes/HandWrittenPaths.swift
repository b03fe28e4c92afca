/// The hot paths written by hand, without a container: the least that they can cost.
struct HandWrittenPaths: HotPaths {
  private static let theService: any Service = ServiceImpl(launchArguments: CommandLine.arguments.count)
  private static let theBoundService = BoundServices.make()
  private static let theStore: any Store = StoreImpl()
  private static let theSettings = Settings.make()
  private static let theSession = Session.make()
  private static let theThreadServiceA: any ThreadServiceA = ThreadServiceImpl()
  private static let theThreadServiceB: any ThreadServiceB = ThreadServiceImpl()
  private static let theThreadServiceC: any ThreadServiceC = ThreadServiceImpl()
  private static let theThreadServiceD: any ThreadServiceD = ThreadServiceImpl()
  private static let theMissing: (any MissingPart)? = CommandLine.arguments.count > 1000 ? UnusualPart() : nil
  /// A type that keeps the optimizer from predicting that constant.
  private struct UnusualPart: MissingPart {}

  // Not inlined, because a container's caller cannot see through it either: the result is retained for the caller, and
  // instances are on the heap. The protocols are not limited to classes: the optimizer would return a plain reference
  // without retaining it, whatever is written here.

  @inline(never) func service() -> any Service { Self.theService }
  @inline(never) func boundService() -> any BoundService { Self.theBoundService }
  @inline(never) func store() -> any Store { Self.theStore }
  @inline(never) func settings() -> Settings { Self.theSettings }
  @inline(never) func session() -> Session { Self.theSession }
  @inline(never) func threadServiceA() -> any ThreadServiceA { Self.theThreadServiceA }
  @inline(never) func threadServiceB() -> any ThreadServiceB { Self.theThreadServiceB }
  @inline(never) func threadServiceC() -> any ThreadServiceC { Self.theThreadServiceC }
  @inline(never) func threadServiceD() -> any ThreadServiceD { Self.theThreadServiceD }
  @inline(never) func missing() -> (any MissingPart)? { Self.theMissing }
  @inline(never) func viewModel() -> any ViewModel { ViewModelImpl(service(), boundService(), store()) }
  @inline(never) func item() -> any Item { ItemImpl() }
  @inline(never) func labelled(id: Int, name: String) -> any Labelled { LabelledImpl(id: id, name: name) }
  @inline(never) func object() -> ProbeObject { ProbeObject() }
  @inline(never) func part() -> any ProbePart { ProbePartImpl() }
  @inline(never) func part(number: Int) -> any NumberedPart { NumberedPartImpl(number: number) }

  @inline(never) func chain() -> Chain.Last {
    let fourth = Chain.Link4(Chain.Link3(Chain.Link2(Chain.Link1(Chain.End()))))
    return Chain.Last(Chain.Link9(Chain.Link8(Chain.Link7(Chain.Link6(Chain.Link5(fourth))))))
  }

  // There is no name or declaration to look up.
  func namedService() -> any Service { service() }
  func declaredService() -> any Service { service() }
  func eager() -> Eager { Eager() }
  func lazy() -> Lazy { Lazy() }

  struct Eager: ServiceOwner {
    let service = HandWrittenPaths().service()
  }

  // A class, because the container's can be copied too.
  final class Lazy: ServiceOwner {
    private(set) lazy var service = HandWrittenPaths().service()
  }
}
