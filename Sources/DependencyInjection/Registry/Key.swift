/// What a registration is found by: the type that is asked for.
package struct Key: Hashable, Sendable {
  /// The identity of the type.
  package let type: ObjectIdentifier

  init(_ type: Any.Type) {
    self.type = ObjectIdentifier(type)
  }

  /// The key as the table knows it.
  var word: UInt { UInt(bitPattern: type) }
}
