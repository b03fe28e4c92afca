/// What a registration is found by: the type that is asked for.
package struct Key: Hashable, Sendable {
  /// The identity of the type.
  package let type: ObjectIdentifier

  init(_ type: Any.Type) {
    self.type = ObjectIdentifier(type)
  }

  /// The key as the table knows it.
  var word: UInt { UInt(bitPattern: type) }

  /// The hash that dictionaries ask for.
  ///
  /// The addresses of types come from the process itself, so nobody needs to be kept from choosing them badly: one
  /// multiplication does, in place of the standard library's keyed hash, which takes most of the time of a look-up.
  package func _rawHashValue(seed: Int) -> Int {
    let hash = ResolveTable.hash(word ^ UInt(bitPattern: seed))
    // The upper bits are the good ones, and a dictionary takes the lower.
    return Int(bitPattern: hash >> (UInt(UInt.bitWidth) / 2) ^ hash)
  }
}
