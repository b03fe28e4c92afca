public import Synchronization

/// Where the hot path finds what a type resolves to: one cell per type, read without a lock.
///
/// A cell is memory that a container frees only when it is itself freed, so a reader may touch it at any time, whatever
/// a writer does. Its key and kind never change; when a type comes to need another kind, its slot in the table points
/// to another cell, and the old one is left empty for the next time. It begins with one bank, and gets more of them when
/// threads get into each other's way there.
@safe
@usableFromInline
struct Cell: ~Copyable {
  /// What a cell holds, and so how it is read.
  @usableFromInline
  enum Kind: UInt {
    /// A value that is one strong reference, followed by words that are the same for every instance of one class.
    ///
    /// Classes and existentials of classes. The bank holds the instance itself; `words` hold what follows it in
    /// memory: witness tables, and for existentials that could also hold structs, the class's metadata.
    case reference

    /// A small value without references, in `words`, guarded by a sequence number in place of the bank.
    case trivial

    /// Any other value, in a `Box` that the bank holds.
    case boxed

    /// A factory that is called on every resolve, just as it is: the bank holds the `Definition`.
    ///
    /// Only in the shared container, and only as long as no other one can be current, so that nothing has to be made
    /// current for it; and only if it may be called on every thread.
    case factory

    /// Another factory: the bank holds the `Definition`.
    case otherFactory
  }

  /// How many words follow the first in the largest value that a cell can hold.
  @usableFromInline
  static var wordCount: Int { 5 }

  /// Where readers get their reference as long as there are no shards.
  @usableFromInline
  let bank = ReferenceBank()

  /// What the cell holds; in the bytes that the bank leaves free, so that what readers need fits into one cache line.
  @usableFromInline
  let kind: Kind

  /// The sum of the key and the kind, so that one comparison tells both.
  @usableFromInline
  let tag: UInt

  @usableFromInline
  let words: Words

  /// The address of the shards, or 0.
  @usableFromInline
  let shards = Atomic<UInt>(0)

  /// Even while `words` hold a trivial value, odd while they do not or are being written.
  @usableFromInline
  let sequence = Atomic<UInt>(1)

  /// The next cell of the same key, in the order they were made.
  ///
  /// Guarded by the container's lock.
  var next: UnsafeMutablePointer<Cell>?

  init(key: UInt, kind: Kind, words: (UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0)) {
    self.kind = kind
    tag = Self.tag(key, kind)
    self.words = Words(words)
    unsafe next = nil
  }

  deinit { Self.freeShards(shards.load(ordering: .relaxed)) }

  /// Five words that may be read while they are written.
  @usableFromInline
  struct Words: ~Copyable {
    @usableFromInline let first: Atomic<UInt>
    @usableFromInline let second: Atomic<UInt>
    @usableFromInline let third: Atomic<UInt>
    @usableFromInline let fourth: Atomic<UInt>
    @usableFromInline let fifth: Atomic<UInt>

    init(_ words: (UInt, UInt, UInt, UInt, UInt)) {
      first = Atomic(words.0)
      second = Atomic(words.1)
      third = Atomic(words.2)
      fourth = Atomic(words.3)
      fifth = Atomic(words.4)
    }

    @inlinable
    @inline(__always)
    func load() -> (UInt, UInt, UInt, UInt, UInt) {
      (
        first.load(ordering: .relaxed), second.load(ordering: .relaxed), third.load(ordering: .relaxed),
        fourth.load(ordering: .relaxed), fifth.load(ordering: .relaxed)
      )
    }

    func store(_ words: (UInt, UInt, UInt, UInt, UInt)) {
      first.store(words.0, ordering: .relaxed)
      second.store(words.1, ordering: .relaxed)
      third.store(words.2, ordering: .relaxed)
      fourth.store(words.3, ordering: .relaxed)
      fifth.store(words.4, ordering: .relaxed)
    }
  }
}

// MARK: - Identity

extension Cell {
  /// The tag of a key's cell of a kind.
  ///
  /// A key is the address of metadata, and no two of those are less than two words apart.
  @inlinable
  @inline(__always)
  static func tag(_ key: UInt, _ kind: Kind) -> UInt { key &+ kind.rawValue }

  /// The identity of the type that the cell belongs to; it fixes the type of the value.
  @inlinable
  var key: UInt { tag &- kind.rawValue }
}

// MARK: - Reading

extension Cell {
  /// The instance of a cell of kind `reference`, with the reference that its bank has handed over.
  ///
  /// Not an optional, because an existential has five words, and each step of a way takes a copy of them.
  @inlinable
  @inline(__always)
  static func reference<Value>(
    _ object: UInt, in cell: UnsafeMutablePointer<Cell>, as _: Value.Type
  ) -> Value {
    // Sound: `layOut` has checked that the value is these words, and the reference in the first is the one that the
    // bank handed over; moving it out makes the result its owner. The size is a constant where this is inlined.
    if MemoryLayout<Value>.size <= 2 * MemoryLayout<UInt>.size {
      var image = unsafe (object, cell.pointee.words.first.load(ordering: .relaxed))
      return unsafe _withUnprotectedUnsafeMutablePointer(to: &image) {
        unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: Value.self).move()
      }
    }
    // In pairs, because that is how a large value is copied: reading two words that were written one by one, a moment
    // ago, makes the processor wait until both have reached the cache. The words of a cell of this kind never change.
    // Sound: what cannot be copied has one place in memory, which is part of the cell, and the words follow each other.
    let tail = unsafe withUnsafePointer(to: cell.pointee.words.second) { unsafe UnsafeRawPointer($0) }
    var image = unsafe (
      SIMD2(object, cell.pointee.words.first.load(ordering: .relaxed)), tail.loadUnaligned(as: SIMD2<UInt>.self),
      tail.loadUnaligned(fromByteOffset: 2 * MemoryLayout<UInt>.size, as: SIMD2<UInt>.self)
    )
    return unsafe _withUnprotectedUnsafeMutablePointer(to: &image) {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: Value.self).move()
    }
  }

  /// The instance in a cell of kind `trivial`, or nil if it has just been taken out.
  ///
  /// A sequence lock: the fence keeps the loads of the words before the second load of the sequence number, and the
  /// writer's fence keeps its stores after the number turned odd, so equal even numbers mean an untorn value.
  @inlinable
  @inline(__always)
  func trivial<Value>(as _: Value.Type) -> Value? {
    let before = sequence.load(ordering: .acquiring)
    var image = words.load()
    atomicMemoryFence(ordering: .acquiring)
    guard before & 1 == 0, sequence.load(ordering: .relaxed) == before else { return nil }
    // Sound: `layOut` has checked that the value is trivial and fits, and these are its bytes.
    return unsafe withUnsafePointer(to: &image) {
      unsafe UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// The value in a cell of kind `boxed`, or nil if it has just been taken out.
  @inlinable
  @inline(__always)
  static func boxed<Value>(in cell: UnsafeMutablePointer<Cell>, as _: Value.Type) -> Value? {
    let bank = unsafe bank(of: cell)
    guard let loan = unsafe bank.pointee.borrow() else { return nil }
    // Sound: a cell of this kind only ever holds boxes, and the reference that was taken keeps this one alive.
    let value: Value = unsafe Unmanaged<Box>.fromOpaque(UnsafeRawPointer(bitPattern: loan.pointer)!)
      ._withUnsafeGuaranteedRef { $0.value() }
    unsafe bank.pointee.giveBack(loan)
    return value
  }
}

// MARK: - Writing

extension Cell {
  /// What it takes to put a value into a cell: the kind of cell, its constant words, and what the bank holds.
  struct Layout {
    var kind: Kind
    var words: (UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0)
    var object: AnyObject?

    /// A value that is one reference, for an instance that is alive and of the class that was laid out.
    func value<Value>(of object: AnyObject, as _: Value.Type) -> Value {
      let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
      var image = (address, words.0, words.1, words.2, words.3, words.4)
      // Sound: these are the bytes of the value, and copying them out retains the instance.
      return withExtendedLifetime(object) {
        unsafe withUnsafePointer(to: &image) {
          unsafe UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee
        }
      }
    }
  }

  /// How a value of the static type `Value` is laid out in a cell.
  ///
  /// If there is a box that already holds the value, a cell that needs one uses that.
  static func layOut<Value>(_ value: Value, in box: Box? = nil) -> Layout {
    let size = MemoryLayout<Value>.size
    let largest = (wordCount + 1) * MemoryLayout<UInt>.size
    var image = (UInt(0), UInt(0), UInt(0), UInt(0), UInt(0), UInt(0))
    if size <= largest {
      // Only the bytes are read, never as a value of the type: nothing is retained or released by this.
      unsafe withUnsafeBytes(of: value) { bytes in
        unsafe withUnsafeMutableBytes(of: &image) { unsafe $0.copyMemory(from: bytes) }
      }
    }
    let tail = (image.1, image.2, image.3, image.4, image.5)
    if MemoryLayout<Value>.alignment > MemoryLayout<UInt>.alignment {
      return Layout(kind: .boxed, object: box ?? Box(value))
    }
    if _isPOD(Value.self) {
      if size <= wordCount * MemoryLayout<UInt>.size {
        return Layout(kind: .trivial, words: (image.0, image.1, image.2, image.3, image.4))
      }
    } else if size <= largest {
      switch Representation(of: Value.self) {
      case .reference:
        if let object = object(at: image.0) { return Layout(kind: .reference, words: tail, object: object) }
      case .referenceInBuffer:
        if isClass(tail.2), let object = object(at: image.0) {
          // The rest of the three words that could hold a struct is undefined.
          return Layout(kind: .reference, words: (0, 0, tail.2, tail.3, tail.4), object: object)
        }
      case .other: break
      }
    }
    return Layout(kind: .boxed, object: box ?? Box(value))
  }

  /// Whether a word of an existential says that the buffer before it holds just the reference to a class instance.
  ///
  /// `type(of:)` does not tell: it looks through an existential of a class that is in the buffer as it is, with its
  /// witness tables. The word is 0 if there is none, which is so only for an `any Error`.
  private static func isClass(_ word: UInt) -> Bool {
    // Sound: in an existential that has such a word it is the metadata of what the buffer holds.
    guard let type = unsafe unsafeBitCast(word, to: Any.Type?.self) else { return false }
    return !isExistential(type) && type is AnyObject.Type
  }

  /// The class instance to which a value's first word is the reference, if a cell can hold it.
  private static func object(at word: UInt) -> AnyObject? {
    guard ReferenceBank.canHold(word) else { return nil }
    // Sound: the caller knows that the word is one, and the value that it is from is alive.
    return unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: word)!).takeUnretainedValue()
  }

  private static func isExistential(_ type: Any.Type) -> Bool {
    // Sound: every type's metadata starts with its kind, which is part of Swift's stable ABI.
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee == 0x303
  }

  /// How values of a type that hold a class instance are represented.
  private enum Representation {
    /// The reference, followed by the witness tables of an existential that only classes can be in.
    case reference

    /// The reference in a buffer of three words, followed by the type of what is in it and witness tables.
    case referenceInBuffer

    /// In some other way.
    case other

    init(of type: Any.Type) {
      guard isExistential(type) else {
        self = type is AnyObject.Type ? .reference : .other
        return
      }
      // Sound: the kind of an existential's metadata is followed by its flags, of which the highest says that it is not
      // limited to classes. Both are part of Swift's stable ABI.
      let metadata = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)
      let flags = unsafe UnsafeRawPointer(metadata + 1).load(as: UInt32.self)
      self = flags & 0x8000_0000 == 0 ? .reference : .referenceInBuffer
    }
  }

  /// Fills an empty cell of the layout's kind and words.
  ///
  /// The caller holds the container's lock.
  func fill(_ layout: Layout) {
    guard kind == .trivial else { return deposit(ReferenceBank.pointer(to: layout.object!)) }
    let odd = sequence.load(ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    words.store(layout.words)
    sequence.store(odd + 1, ordering: .releasing)
  }

  /// Empties the cell, if it is not empty.
  ///
  /// The caller holds the container's lock.
  func empty() -> Withdrawal {
    guard kind == .trivial else { return withdraw() }
    let current = sequence.load(ordering: .relaxed)
    if current & 1 == 0 {
      sequence.store(current + 1, ordering: .relaxed)
      atomicMemoryFence(ordering: .releasing)
    }
    return Withdrawal(pointer: 0, count: 0)
  }

  /// Whether there is something in the cell.
  var isFull: Bool {
    kind == .trivial ? sequence.load(ordering: .relaxed) & 1 == 0 : hasObject
  }

  /// Whether the cell can take this layout without changing anything that never changes.
  func fits(_ layout: Layout) -> Bool {
    guard kind == layout.kind else { return false }
    return kind != .reference || words.load() == layout.words
  }
}
