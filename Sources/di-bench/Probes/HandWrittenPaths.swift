/// The same without a container.
struct HandWrittenPaths: HotPaths {
  private static let direct = DirectProvider()

  init() {}

  // As in `DirectProvider`, nothing that stands for a resolve is inlined.

  func service() -> any Service { Self.direct.service() }
  func namedService() -> any Service { Self.direct.service() }
  func declaredService() -> any Service { Self.direct.service() }
  func boundService() -> any BoundService { Self.direct.boundService() }
  func store() -> any Store { Self.direct.store() }
  func settings() -> Settings { Self.direct.settings() }
  func session() -> Session { Self.direct.session() }
  func viewModel() -> any ViewModel { Self.direct.viewModel() }

  @inline(never)
  func object() -> ProbeObject { ProbeObject() }

  @inline(never)
  func part() -> any ProbePart { ProbePartImpl() }

  @inline(never)
  func part(number: Int) -> any NumberedPart { NumberedPartImpl(number: number) }

  @inline(never)
  func chain() -> ProbeChain.Last {
    let fourth = ProbeChain.Link4(ProbeChain.Link3(ProbeChain.Link2(ProbeChain.Link1(Chain.End()))))
    return ProbeChain.Last(
      ProbeChain.Link9(ProbeChain.Link8(ProbeChain.Link7(ProbeChain.Link6(ProbeChain.Link5(fourth))))))
  }

  private static let theMissing: (any MissingPart)? = CommandLine.arguments.count > 1000 ? UnusualPart() : nil

  /// What makes that constant one that the optimizer cannot foresee.
  private struct UnusualPart: MissingPart {}

  @inline(never)
  func missing() -> (any MissingPart)? { Self.theMissing }

  func eager() -> Eager { Eager() }
  func lazy() -> Lazy { Lazy() }

  /// An owner that gets its service when it is created.
  struct Eager: ServiceOwner {
    let service = HandWrittenPaths.direct.service()
  }

  /// An owner that gets its service when it is first asked for it; a class, because the container's can be copied too.
  final class Lazy: ServiceOwner {
    private(set) lazy var service = HandWrittenPaths.direct.service()
  }
}
