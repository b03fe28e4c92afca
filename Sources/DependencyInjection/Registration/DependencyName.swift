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
/// Two names are equal if their texts are equal. A text is remembered forever once a name has been created from it.
/// Create names from what the source code or a configuration lists, not from what users type. Keep them in static
/// properties: a misspelled name is then a compile-time error.
@safe
public struct DependencyName: Hashable, Sendable {
  /// Not reference counted: the entry is never released.
  private let entry: Unmanaged<Entry>

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
    unsafe self.entry = Unmanaged.passUnretained(entry)
  }

  /// Returns the word of the key that consists of a type and this name.
  @inline(__always)
  func word(_ type: UInt) -> UInt { unsafe entry._withUnsafeGuaranteedRef { $0.word(type) } }

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
    /// bits, nor has any name where words are shorter. `slowWord` returns the words of their keys.
    let bits: UInt

    /// The words of the keys of a name without bits: addresses of memory that is never freed, so no other key has the
    /// same word.
    private let words = Locked<[UInt: UInt]>([:])

    init(_ text: String, number: Int) {
      self.text = text
      bits = UInt.bitWidth == 64 && number < 1 << 16 ? UInt(truncatingIfNeeded: UInt64(number) << 48) : 0
    }

    /// Returns the word of the key that consists of a type and this name.
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

  /// Returns a Boolean value that indicates whether two names have the same text.
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

/// Returns the name of a type as it is written in source code: without `any`, and followed by the dependency's name, if
/// any.
///
/// - Parameters:
///   - type: The type.
///   - name: The name of the dependency.
///   - others: Types that are named beside it. If one has the same name, the types around are named, too.
/// - Returns: The name.
package func displayName(_ type: Any.Type, _ name: DependencyName? = nil, beside others: [Any.Type] = []) -> String {
  let full = String(describing: type)
  var own = full.hasPrefix("any ") ? String(full.dropFirst(4)) : full
  if others.contains(where: { $0 != type && String(describing: $0) == full }) {
    // Without the module in front, and without what stands for the scope of a private type.
    let parts = String(reflecting: type).split(separator: ".").dropFirst().filter { !$0.hasPrefix("(unknown context") }
    own = parts.joined(separator: ".")
  }
  return name.map { "\(own) (\($0))" } ?? own
}
