/// What every `Optional` type can do.
protocol AnyOptional {
  /// What it may wrap.
  static var wrappedType: Any.Type { get }

  /// Answers a resolve of the wrapped type, or nil, into memory for an optional.
  static func answer(
    from container: DIContainer, _ request: Request, into memory: UnsafeMutableRawPointer
  ) throws(ResolutionError)
}

extension Optional: AnyOptional {
  static var wrappedType: Any.Type { Wrapped.self }

  static func answer(
    from container: DIContainer, _ request: Request, into memory: UnsafeMutableRawPointer
  ) throws(ResolutionError) {
    let found = try container.answerIfRegistered(Wrapped.self, request)
    unsafe memory.initializeMemory(as: Self.self, to: found?.value)
    if let found, let box = found.box {
      container.putIntoTable(found.value, found.definition, box)
    }
  }
}

extension DIContainer {
  /// Lets the table answer the optional of a type whose instance exists.
  fileprivate func putIntoTable<Wrapped>(_ value: Wrapped, _ definition: Definition, _ box: Box) {
    var layout = Cell.layOut(value)
    // An optional reference has the same words; anything else is laid out as the optional it is.
    if layout.kind != .reference || MemoryLayout<Wrapped?>.size != MemoryLayout<Wrapped>.size {
      layout = Cell.layOut(Optional(value))
    }
    putIntoTable(layout, Key(Wrapped.self), definition, box, answering: Key(Wrapped?.self))
  }
}
