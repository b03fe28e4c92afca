internal import DependencyInjection
internal import Synchronization

@testable import di_bench

/// Hands out what it should, except once.
struct FaultyProvider: Provider {
  /// What it does instead.
  enum Fault {
    case none, recreatesShared, reusesNew, createsOneMore, changesID, changesName, reusesLinks,
      recreatesBound, changesSettings, changesSession, mixesLanes, sharesLanes, reusesViewModel, changesStore,
      keepsOverridden, leaks
  }

  let fault: Fault

  private let services = [ServiceImpl(launchArguments: 0), ServiceImpl(launchArguments: 1)]
  private let item0 = ItemImpl()
  private let link = DirectProvider().chain().next
  private let calls = Calls()

  private let boundServices = [BoundServices.make(), BoundServices.make()]
  private let stores = [StoreImpl(), StoreImpl()]
  private let sessions = [Session.make(), Session.make()]
  private let lanes = (0..<4).map { _ in LaneImpl() }
  private let model: any ViewModel

  init(_ fault: Fault) {
    self.fault = fault
    model = ViewModelImpl(services[0], boundServices[0], stores[0])
  }

  private final class Calls: Sendable {
    let count = Atomic(0)
    let revision = Atomic(0)

    /// What is never given back, so that the memory of the process grows.
    let leaked = Locked<[[UInt8]]>([])
  }

  /// Whether this is the one call, the tenth, that goes wrong in the given way.
  private func isTime(for fault: Fault) -> Bool {
    calls.count.add(1, ordering: .relaxed).newValue == 10 && fault == self.fault
  }

  var registrations: Int? { nil }

  func service() -> any Service { services[isTime(for: .recreatesShared) ? 1 : 0] }

  func boundService() -> any BoundService { boundServices[isTime(for: .recreatesBound) ? 1 : 0] }
  func store() -> any Store { stores[0] }
  func settings() -> Settings { Settings(width: 1, height: isTime(for: .changesSettings) ? 3 : 2) }
  func session() -> Session { sessions[isTime(for: .changesSession) ? 1 : 0] }
  func laneA() -> any LaneA { lanes[isTime(for: .mixesLanes) ? 1 : 0] }
  func laneB() -> any LaneB { lanes[fault == .sharesLanes ? 0 : 1] }
  func laneC() -> any LaneC { lanes[2] }
  func laneD() -> any LaneD { lanes[3] }

  func viewModel() -> any ViewModel {
    if fault == .reusesViewModel, calls.count.add(1, ordering: .relaxed).newValue >= 10 { return model }
    return ViewModelImpl(services[0], boundServices[0], stores[isTime(for: .changesStore) ? 1 : 0])
  }

  func item() -> any Item {
    if fault == .reusesNew { return isTime(for: .reusesNew) ? item0 : ItemImpl() }
    let item = ItemImpl()
    if isTime(for: .createsOneMore) { InstanceCount.add() }
    return item
  }

  func labelled(id: Int, name: String) -> any Labelled {
    if fault == .changesName { return LabelledImpl(id: id, name: isTime(for: .changesName) ? "" : name) }
    return LabelledImpl(id: isTime(for: .changesID) ? id + 1 : id, name: name)
  }

  func chain() -> Chain.Last {
    isTime(for: .reusesLinks) ? Chain.Last(link) : DirectProvider().chain()
  }
}

extension FaultyProvider: Overridable {
  func override(revision: Int) {
    if fault != .keepsOverridden { calls.revision.store(revision, ordering: .relaxed) }
    if fault == .leaks { calls.leaked.withLock { $0.append([UInt8](repeating: 1, count: 8192)) } }
  }

  func revision() -> any Revision { RevisionImpl(number: calls.revision.load(ordering: .relaxed)) }
}

/// Loses one of the types that are registered with it.
struct ForgetfulRegistrar: Registrar {
  private var registrar = DictionaryRegistrar()

  init() {}

  var count: Int { registrar.count }

  mutating func register<Value: Keyed>(_ type: Value.Type) {
    if type != Keys.all[500] { registrar.register(type) }
  }

  func create<Value: Keyed>(_ type: Value.Type) -> Value? { registrar.create(type) }
}

/// Knows all types that are registered with it, but cannot create one of them.
struct UnableRegistrar: Registrar {
  private var registrar = DictionaryRegistrar()

  init() {}

  var count: Int { registrar.count }

  mutating func register<Value: Keyed>(_ type: Value.Type) { registrar.register(type) }

  func create<Value: Keyed>(_ type: Value.Type) -> Value? {
    type == Keys.all[500] ? nil : registrar.create(type)
  }
}
