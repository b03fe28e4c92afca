/// A key that identifies a registration: a type with or without a name, or a `Dependency`.
package struct Key: Hashable, Sendable {
  /// The word that represents the key in the table.
  ///
  /// It is the address of the type, combined with the number of the name if there is one, or the address of the
  /// `Dependency`. The words of two keys always differ by at least the size of two words.
  let word: UInt

  @_transparent
  init(_ type: Any.Type, _ label: Label = .none) {
    let type = UInt(bitPattern: ObjectIdentifier(type))
    word =
      switch label {
      case .none: type
      case .name(let name): name.word(type)
      case .dependency(let declaration): declaration.address
      }
  }

  package init(_ type: Any.Type, named name: DependencyName?) { self.init(type, Label(name)) }

  /// Returns a key that represents all names of a type.
  ///
  /// Nothing is registered with it. A request for all registrations of a type uses it.
  package static func names(of type: Any.Type) -> Key { Key(word: Key(type).word + UInt(MemoryLayout<UInt>.size)) }

  @_transparent
  init(word: UInt) { self.word = word }

  /// Returns the hash of the word of a key.
  ///
  /// Its upper bits are well distributed.
  ///
  /// The factor is an eighth of the golden ratio's fraction of a word, because keys are addresses of words, which are
  /// multiples of eight. With the whole fraction, addresses that are 144 bytes apart, for example, would have the same
  /// upper eight bits.
  @_transparent
  static func hash(_ word: UInt) -> UInt {
    #if _pointerBitWidth(_64)
      word &* 0x13C6_EF37_2FE9_4F83
    #else
      word &* 0x13C6_EF37
    #endif
  }
}

/// The part of a key that distinguishes registrations of the same type.
@usableFromInline
enum Label: Sendable {
  /// A `Dependency`.
  ///
  /// It is the first case, so that it has no tag in memory. Not reference counted: the declaration is never released.
  case dependency(Unowned<Definition>)

  /// A name.
  case name(DependencyName)

  /// No label: the type alone is the key.
  case none

  /// Creates the label of a name, or an empty label if the name is nil.
  @_transparent
  @usableFromInline
  init(_ name: DependencyName?) {
    if let name { self = .name(name) } else { self = .none }
  }

  /// The name, if the label is one.
  var name: DependencyName? { if case .name(let name) = self { name } else { nil } }

  /// The declaration, if the label is a `Dependency`.
  @_transparent
  var declaration: Definition? {
    if case .dependency(let declaration) = self { declaration.object } else { nil }
  }
}

/// A name that distinguishes registrations of the same type.
///
/// ```swift
/// extension DependencyName {
///   static let replica: Self = "replica"
/// }
///
/// DIContainer.register(Shared(Replica() as Database, named: .replica))
/// let database = DIContainer.resolve(Database.self, named: .replica)
/// ```
///
/// Two names are equal if their texts are equal. The process remembers a text forever once a name has been created from
/// it. Create names from what the source code or a configuration lists, not from what users type. Keep them in static
/// properties: a misspelled name is then a compile-time error.
public struct DependencyName: Hashable, Sendable, _NonisolatedExtensions {
  /// Not reference counted: the entry is never released.
  private let entry: Unowned<Entry>

  /// Creates a name.
  ///
  /// - Parameter text: The text that errors and listings show.
  public init(_ text: String) {
    let entry = Self.entries.withLock { entries in
      if let entry = entries[text] { return entry }
      let entry = Entry(text, number: entries.count + 1)
      entries[text] = entry
      return entry
    }
    self.entry = Unowned(entry)
  }

  /// Returns the word of the key that consists of a type and this name.
  @inline(__always)
  func word(_ type: UInt) -> UInt { entry.borrow { $0.bits != 0 ? type ^ $0.bits : $0.slowWord(type) } }

  /// The entries of all names, by their texts.
  private static let entries = Locked<[String: Entry]>([:])

  /// The storage that all equal names share.
  ///
  /// It is never released.
  private final class Entry: Sendable {
    let text: String

    /// The bits that turn the address of a type into the word of the named key, or 0 if the name has no such bits.
    ///
    /// Addresses leave the upper 16 bits of 64 free. Names that are created after all of these numbers are used have no
    /// bits. Where words are shorter, no name has any. `slowWord` returns the words of their keys.
    let bits: UInt

    /// The words of the keys of a name without bits: addresses of memory that is never freed, so no other key has the
    /// same word.
    private let words = Locked<[UInt: UInt]>([:])

    init(_ text: String, number: Int) {
      self.text = text
      bits = UInt.bitWidth == 64 && number < 1 << 16 ? UInt(truncatingIfNeeded: UInt64(number) << 48) : 0
    }

    @inline(never)
    func slowWord(_ type: UInt) -> UInt {
      words.withLock { words in
        if let word = words[type] { return word }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
        let word = UInt(bitPattern: memory)
        words[type] = word
        return word
      }
    }
  }

  /// Returns a Boolean value that indicates whether two names have the same text.
  public static func == (name: Self, other: Self) -> Bool { name.entry.address == other.entry.address }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(entry.address) }
}

extension DependencyName: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates a name from a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text of the name.
  public var description: String { entry.object.text }
}
