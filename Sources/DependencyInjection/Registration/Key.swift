/// A key that identifies a registration: a type with or without a name, or a `Dependency`.
package struct Key: Hashable, Sendable {
  /// The word that represents the key in the table.
  ///
  /// It is the address of the type, combined with the number of the name if there is one, or the address of the
  /// `Dependency`. The words of two keys always differ by at least the size of two words.
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

  /// Returns a key that represents all names of a type.
  ///
  /// Nothing is registered with it, but an instance may depend on it.
  package static func names(of type: Any.Type) -> Key { Key(word: Key(type).word + UInt(MemoryLayout<UInt>.size)) }

  init(word: UInt) { self.word = word }

  /// Returns the hash of the word of a key.
  ///
  /// Its upper bits are well distributed.
  ///
  /// The factor is an eighth of the golden ratio's fraction of a word, because keys are addresses of words, which are
  /// multiples of eight. With the whole fraction, addresses that are 144 bytes apart, for example, would have the same
  /// upper eight bits.
  @inline(__always)
  static func hash(_ word: UInt) -> UInt {
    word &* UInt(truncatingIfNeeded: 0x13C6_EF37_2FE9_4F83 as UInt64)
  }
}
