/// Something that types can be registered with.
protocol Registrar: Sendable {
  init()

  /// How many types are registered.
  var count: Int { get }

  /// Registers a factory that creates a new instance of the type.
  mutating func register<Value: Keyed>(_ type: Value.Type)

  /// Calls the factory; nil if there is none.
  func create<Value: Keyed>(_ type: Value.Type) -> Value?
}
