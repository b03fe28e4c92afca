typealias LockedDictionaryProvider = DictionaryProvider<LockedDictionary>
typealias SerialQueueProvider = DictionaryProvider<SerialQueueDictionary>

/// A dictionary with what the scenarios resolve.
struct DictionaryProvider<Entries: AnyDictionary>: Provider {
  private let entries = Entries()

  init() {
    entries.registerServices()
  }

  var registrations: Int? { entries.count }

  func service() -> any Service { entries.instance((any Service).self) }
  func boundService() -> any BoundService { entries.instance((any BoundService).self) }
  func store() -> any Store { entries.instance((any Store).self) }
  func settings() -> Settings { entries.instance(Settings.self) }
  func session() -> Session { entries.instance(Session.self) }
  func laneA() -> any LaneA { entries.instance((any LaneA).self) }
  func laneB() -> any LaneB { entries.instance((any LaneB).self) }
  func laneC() -> any LaneC { entries.instance((any LaneC).self) }
  func laneD() -> any LaneD { entries.instance((any LaneD).self) }
  func viewModel() -> any ViewModel { entries.make((any ViewModel).self, ()) }
  func item() -> any Item { entries.make((any Item).self, ()) }
  func labelled(id: Int, name: String) -> any Labelled { entries.make((any Labelled).self, (id, name)) }
  func chain() -> Chain.Last { entries.make(Chain.Last.self, ()) }
}

extension DictionaryProvider: Overridable {
  func override(revision: Int) {
    entries.set(RevisionImpl(number: revision), for: ObjectIdentifier((any Revision).self))
  }

  func revision() -> any Revision { entries.instance((any Revision).self) }
}

extension DictionaryProvider: SlowCreating {
  func createSlowly() {
    let factory: Entries.Factory = { _, _ in SlowPartImpl() }
    entries.set(factory, for: ObjectIdentifier((any SlowPart).self))
    _ = entries.make((any SlowPart).self, ())
  }
}
