/// A dictionary that one thread has for itself.
struct DictionaryRegistrar: Registrar {
  /// A factory of one type for all keys: the runtime looks other function types up in a table that all threads share.
  private typealias Factory = @Sendable () -> any Keyed

  private var entries: [ObjectIdentifier: any Sendable] = [:]

  init() {}

  var count: Int { entries.count }

  mutating func register<Value: Keyed>(_ type: Value.Type) {
    let factory: Factory = { Value() }
    entries[ObjectIdentifier(type)] = factory
  }

  func create<Value: Keyed>(_ type: Value.Type) -> Value? {
    (entries[ObjectIdentifier(type)] as? Factory)?() as? Value
  }
}
