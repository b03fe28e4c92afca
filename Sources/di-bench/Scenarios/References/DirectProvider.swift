/// What one would write without a container: the floor under everything else.
struct DirectProvider {
  private static let theService: any Service = ServiceImpl(launchArguments: CommandLine.arguments.count)
  private static let theBoundService = BoundServices.make()
  private static let theStore: any Store = StoreImpl()
  private static let theSettings = Settings.make()
  private static let theSession = Session.make()
  private static let theLaneA: any LaneA = LaneImpl()
  private static let theLaneB: any LaneB = LaneImpl()
  private static let theLaneC: any LaneC = LaneImpl()
  private static let theLaneD: any LaneD = LaneImpl()

  // Not inlined, because a container's caller cannot see through it either: the result is retained for the caller, and
  // instances are on the heap. The protocols are not limited to classes: a plain reference the optimizer would return
  // without retaining it, whatever stands here.

  @inline(never) func service() -> any Service { Self.theService }
  @inline(never) func boundService() -> any BoundService { Self.theBoundService }
  @inline(never) func store() -> any Store { Self.theStore }
  @inline(never) func settings() -> Settings { Self.theSettings }
  @inline(never) func session() -> Session { Self.theSession }
  @inline(never) func laneA() -> any LaneA { Self.theLaneA }
  @inline(never) func laneB() -> any LaneB { Self.theLaneB }
  @inline(never) func laneC() -> any LaneC { Self.theLaneC }
  @inline(never) func laneD() -> any LaneD { Self.theLaneD }
  @inline(never) func viewModel() -> any ViewModel { ViewModelImpl(service(), boundService(), store()) }
  @inline(never) func item() -> any Item { ItemImpl() }
  @inline(never) func labelled(id: Int, name: String) -> any Labelled { LabelledImpl(id: id, name: name) }

  @inline(never) func chain() -> Chain.Last {
    let fourth = Chain.Link4(Chain.Link3(Chain.Link2(Chain.Link1(Chain.End()))))
    return Chain.Last(Chain.Link9(Chain.Link8(Chain.Link7(Chain.Link6(Chain.Link5(fourth))))))
  }
}
