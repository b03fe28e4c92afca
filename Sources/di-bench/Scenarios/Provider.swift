/// Something that hands out what the scenarios ask for.
protocol Provider: Sendable {
  /// How many registrations it has; nil if it does not register anything.
  var registrations: Int? { get }

  /// The same instance every time.
  func service() -> any Service

  /// The same instance every time, by a protocol that only classes can conform to.
  func boundService() -> any BoundService

  /// The same instance every time, for those who need several.
  func store() -> any Store

  /// The same value every time; it has no references.
  func settings() -> Settings

  /// The same value every time; it has references.
  func session() -> Session

  // The same instance every time, for the first, second, third and fourth thread.
  func laneA() -> any LaneA
  func laneB() -> any LaneB
  func laneC() -> any LaneC
  func laneD() -> any LaneD

  /// A new instance.
  func item() -> any Item

  /// A new instance that keeps what is passed.
  func labelled(id: Int, name: String) -> any Labelled

  /// A new instance with the same service, bound service and store every time.
  func viewModel() -> any ViewModel

  /// A new chain of new instances.
  func chain() -> Chain.Last
}
