/// What a registration is found by: the type that is asked for, with a name or without, or a `Dependency`.
package struct Key: Hashable, Sendable {
  /// The key as the table knows it.
  ///
  /// The address of the type; combined with the number of the name, if there is one; or the address of the
  /// `Dependency`. No two keys have the same, nor words that are less than two words of memory apart.
  let word: UInt

  @inline(__always)
  init(_ type: Any.Type, _ label: Label = .none) {
    let type = UInt(bitPattern: ObjectIdentifier(type))
    word =
      switch label {
      case .none: type
      case .name(let name): name.word(type)
      case .dependency(let declaration): unsafe UInt(bitPattern: declaration.toOpaque())
      }
  }

  package init(_ type: Any.Type, named name: DependencyName?) { self.init(type, Label(name)) }

  /// What stands for all names of a type: nothing is registered with it, but an instance may depend on it.
  package static func names(of type: Any.Type) -> Key { Key(word: Key(type).word + UInt(MemoryLayout<UInt>.size)) }

  private init(word: UInt) { self.word = word }

  /// The hash of the word of a key; its upper bits are the good ones.
  ///
  /// The factor is an eighth of the golden ratio's fraction of a word, because keys are addresses of words: multiples of
  /// eight. With the whole of it, addresses that are 144 bytes apart, say, would have the same upper eight bits.
  @inline(__always)
  static func hash(_ word: UInt) -> UInt {
    word &* UInt(truncatingIfNeeded: 0x13C6_EF37_2FE9_4F83 as UInt64)
  }

  /// The hash that dictionaries ask for.
  ///
  /// The addresses of types come from the process itself, so nobody needs to be kept from choosing them badly: one
  /// multiplication does, in place of the standard library's keyed hash, which takes most of the time of a look-up.
  package func _rawHashValue(seed: Int) -> Int {
    let hash = Self.hash(word ^ UInt(bitPattern: seed))
    // The upper bits are the good ones, and a dictionary takes the lower.
    return Int(bitPattern: hash >> (UInt(UInt.bitWidth) / 2) ^ hash)
  }
}
