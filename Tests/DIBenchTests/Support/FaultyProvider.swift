internal import Synchronization

@testable import di_bench

/// Hands out what it should, except once.
struct FaultyProvider: Provider {
  /// What it does instead.
  enum Fault {
    case none, recreatesShared, reusesNew, createsOneMore, changesID, changesName, reusesLinks
  }

  let fault: Fault

  private let services = [ServiceImpl(launchArguments: 0), ServiceImpl(launchArguments: 1)]
  private let item0 = ItemImpl()
  private let link = DirectProvider().chain().next
  private let calls = Calls()

  init(_ fault: Fault) {
    self.fault = fault
  }

  private final class Calls: Sendable {
    let count = Atomic(0)
  }

  /// Whether this is the one call, the tenth, that goes wrong in the given way.
  private func isTime(for fault: Fault) -> Bool {
    calls.count.add(1, ordering: .relaxed).newValue == 10 && fault == self.fault
  }

  var registrations: Int? { nil }

  func service() -> any Service { services[isTime(for: .recreatesShared) ? 1 : 0] }

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
