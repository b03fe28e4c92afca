/// Something that hands out what the scenarios ask for.
protocol Provider: Sendable {
  /// How many registrations it has; nil if it does not register anything.
  var registrations: Int? { get }

  /// The same instance every time.
  func service() -> any Service

  /// A new instance.
  func item() -> any Item

  /// A new instance that keeps what is passed.
  func labelled(id: Int, name: String) -> any Labelled

  /// A new chain of new instances.
  func chain() -> Chain.Last
}
