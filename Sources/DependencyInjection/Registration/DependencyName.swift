/// Tells registrations of the same type apart.
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
/// Two names are equal if their texts are. The first name of a text is remembered for good, so names are for what the
/// source or a configuration lists, not for what users type; keep them in static properties, which also makes a
/// misspelt one an error of the compiler.
@safe
public struct DependencyName: Hashable, Sendable {
  /// Not counted: it is never released.
  private let entry: Unmanaged<Entry>

  /// Creates a name.
  ///
  /// - Parameter text: What errors and listings show.
  public init(_ text: String) {
    let entry = Self.entries.withLock { entries in
      if let entry = entries[text] { return entry }
      let entry = Entry(text, number: entries.count + 1)
      entries[text] = entry
      return entry
    }
    unsafe self.entry = Unmanaged.passUnretained(entry)
  }

  /// The word of the key that is this name and a type.
  @inline(__always)
  func word(_ type: UInt) -> UInt { unsafe entry._withUnsafeGuaranteedRef { $0.word(type) } }

  /// The names there are, by their texts.
  private static let entries = Locked<[String: Entry]>([:])

  /// What all equal names share, and nobody ever releases.
  private final class Entry: Sendable {
    let text: String

    /// What turns the address of a type into the word of the named key, or 0 if the name has no such number.
    ///
    /// Addresses leave the upper 16 bits of 64 free; the names that come too late for them, and all names where words
    /// are shorter, get the word of each key in another way.
    let bits: UInt

    /// The keys of a name without bits: memory of their own, which is never freed, so that no other key has its address.
    private let words = Locked<[UInt: UInt]>([:])

    init(_ text: String, number: Int) {
      self.text = text
      bits = UInt.bitWidth == 64 && number < 1 << 16 ? UInt(truncatingIfNeeded: UInt64(number) << 48) : 0
    }

    /// The word of the key that is this name and a type.
    @inline(__always)
    func word(_ type: UInt) -> UInt { bits != 0 ? type ^ bits : slowWord(type) }

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

  /// Returns whether two names have the same text.
  public static func == (name: Self, other: Self) -> Bool { unsafe name.entry.toOpaque() == other.entry.toOpaque() }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { unsafe hasher.combine(entry.toOpaque()) }
}

extension DependencyName: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates a name from a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text of the name.
  public var description: String { unsafe entry.takeUnretainedValue().text }
}

/// The name of a type as a reader knows it: without `any`, and with what it is nested in.
package func displayName(_ type: Any.Type, _ name: DependencyName? = nil) -> String {
  let full = String(describing: type)
  let own = full.hasPrefix("any ") ? String(full.dropFirst(4)) : full
  return name.map { "\(own) (\($0))" } ?? own
}
