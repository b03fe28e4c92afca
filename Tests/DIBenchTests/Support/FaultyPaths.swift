internal import Synchronization

@testable import DIBenchmarking
@testable import di_bench

/// Returns something else every time where it should be the same, and the same where it should be something else.
struct FaultyPaths: HotPaths {
  private static let numbers = Atomic(0)
  private static let theModel: any ViewModel = ViewModelImpl(services[0], BoundServices.make(), StoreImpl())
  private static let theObject = ProbeObject()
  private static let thePart: any ProbePart = ProbePartImpl()
  private static let theChain = HandWrittenPaths().chain()

  /// More than any test asks for: what has been released might be created again at the same address.
  private static let services = (0..<1000).map { ServiceImpl(launchArguments: $0) }
  private static let boundServices = (0..<1000).map { _ in BoundServices.make() }
  private static let sessions = (0..<1000).map { _ in Session.make() }

  private static var next: Int { numbers.add(1, ordering: .relaxed).newValue % 1000 }

  func service() -> any Service { Self.services[Self.next] }
  func namedService() -> any Service { service() }
  func declaredService() -> any Service { service() }
  func boundService() -> any BoundService { Self.boundServices[Self.next] }
  func store() -> any Store { StoreImpl() }
  func settings() -> Settings { Settings(width: Self.next, height: 0) }
  func session() -> Session { Self.sessions[Self.next] }
  func object() -> ProbeObject { Self.theObject }
  func part() -> any ProbePart { Self.thePart }
  func part(number: Int) -> any NumberedPart { NumberedPartImpl(number: number + 1) }
  func viewModel() -> any ViewModel { Self.theModel }
  func chain() -> Chain.Last { Self.theChain }
  func missing() -> (any MissingPart)? { Unexpected() }
  func eager() -> Owner { Owner() }
  func lazy() -> Owner { Owner() }

  private struct Unexpected: MissingPart {}

  /// An owner whose service is another one every time.
  struct Owner: ServiceOwner {
    var service: any Service { FaultyPaths.services[FaultyPaths.next] }
  }
}
