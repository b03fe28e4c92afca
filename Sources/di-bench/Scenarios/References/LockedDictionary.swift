internal import DependencyInjection
internal import Synchronization

#if DI_TSAN
  // The thread sanitizer does not understand the standard library's mutex.
  private typealias Lock<Value> = Locked<Value>
#else
  private typealias Lock<Value> = Mutex<Value>
#endif

/// A dictionary behind the platform's mutex: the yardstick that is stable from machine to machine.
final class LockedDictionary: AnyDictionary {
  private let entries = Lock<[ObjectIdentifier: any Sendable]>([:])

  init() {}

  var count: Int { entries.withLock { $0.count } }

  func has(_ key: ObjectIdentifier) -> Bool { entries.withLock { $0[key] != nil } }

  func set(_ value: any Sendable, for key: ObjectIdentifier) {
    entries.withLock { $0[key] = value }
  }

  func instance<Value>(_ type: Value.Type) -> Value {
    entries.withLock { $0[ObjectIdentifier(type)]! } as! Value
  }

  func make<Value>(_ type: Value.Type, _ arguments: any Sendable) -> Value {
    // Called without the lock, which is not re-entrant.
    let factory = entries.withLock { $0[ObjectIdentifier(type)]! } as! Factory
    return factory(self, arguments) as! Value
  }
}

extension LockedDictionary {
  /// All entries, as a value.
  func save() -> [ObjectIdentifier: any Sendable] {
    entries.withLock { $0 }
  }

  /// Replaces all entries.
  func restore(_ saved: [ObjectIdentifier: any Sendable]) {
    let replaced = entries.withLock { entries in
      let replaced = entries
      entries = saved
      return replaced
    }
    // Released here: what is in it may be the last of its kind.
    _ = consume replaced
  }
}

/// The locked dictionary with what the scenarios resolve.
struct LockedDictionaryProvider: Provider {
  private let entries = LockedDictionary()

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

extension LockedDictionaryProvider: Overridable {
  func override(revision: Int) {
    entries.set(RevisionImpl(number: revision), for: ObjectIdentifier((any Revision).self))
  }

  func revision() -> any Revision { entries.instance((any Revision).self) }
}
