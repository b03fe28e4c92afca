internal import Synchronization

typealias CellPointer = StablePointer<Cell>

/// The contents of a container for a key: what its lock guards, and the answer that readers take without a lock.
///
/// Everything that readers load, except `key`, may change while they read. `reference` contains a generation that
/// changes with it. A reader that claims a reference, or finds the generation unchanged, has loaded values that belong
/// together. See `AtomicReference`. A cell has 64 bytes, so that no two cells share a cache line. It never moves, and
/// lives as long as its registry.
struct Cell: ~Copyable {
  /// The kind of a cell's answer, which determines how it is read.
  enum Kind {
    /// Nothing is registered here: the parent answers.
    case nothing
    /// Something is registered here, and hides the parent's registration: the registry answers.
    case registry
    /// An instance of a class. `words` holds what follows the reference in memory: the witness tables of an existential
    /// that is limited to classes.
    case reference
    /// An instance of a class in an existential that has room for structs. `words` holds what follows the buffer of three
    /// words in memory: the type and the witness tables.
    case referenceInBuffer
    /// Any value that is in none of the other kinds, in a `Box`.
    case boxed
    /// A factory that every resolution calls, in a `Definition`.
    case factory
    /// A value of up to three words without references, in `words`.
    case trivial

    /// A Boolean value that indicates whether the reference, if there is one, leads to a box or a factory, and not to the
    /// instance itself.
    ///
    /// These kinds come last, so that a reader looks at one bit of the word.
    @_transparent
    var isIndirect: Bool { tag >= Kind.boxed.tag }

    // Sound: a case without a value is its number in a byte.
    @_transparent
    fileprivate var tag: UInt8 { unsafe unsafeBitCast(self, to: UInt8.self) }

    /// Creates the kind whose tag is in the word of a reference.
    @_transparent
    init(of word: UInt64) {
      // Sound: only the tags of kinds are stored.
      self = unsafe unsafeBitCast(AtomicReference.tag(of: word), to: Self.self)
    }
  }

  /// The word of the key.
  let key: UInt
  let reference: AtomicReference
  private let first = Atomic<UInt>(0)
  private let second = Atomic<UInt>(0)
  private let third = Atomic<UInt>(0)

  /// The registration, if there is one; guarded by the lock of the container.
  var definition: Definition?
  /// The state of its instance, if the key alone identifies the instance; guarded by the lock of the container.
  var state = Record.State.empty

  @_transparent
  init(key: UInt, _ definition: Definition?) {
    self.key = key
    if case .none = definition {
      reference = AtomicReference(tag: Kind.nothing.tag)
    } else {
      reference = AtomicReference(tag: Kind.registry.tag)
    }
    self.definition = definition
  }
}

typealias CellWords = (UInt, UInt, UInt)

// MARK: - Reading

extension Cell {
  /// Loads the kind, for a reader that has claimed nothing.
  @_transparent
  func loadKind() -> Kind { Kind(of: reference.word.load(ordering: .acquiring)) }

  @inline(__always)
  func loadWords() -> CellWords {
    (first.load(ordering: .acquiring), second.load(ordering: .acquiring), third.load(ordering: .acquiring))
  }

  /// Stores the value in a cell of kind `trivial` into memory.
  ///
  /// - Returns: A Boolean value that indicates whether there was a value.
  @inline(__always)
  func loadTrivial(into memory: InstanceMemory) -> Bool {
    guard let words = reference.load(Kind.trivial.tag, { loadWords() }) else { return false }
    memory.store(words.0, words.1, words.2, 0, 0, 0)
    return true
  }
}

extension InstanceMemory {
  /// Stores six words.
  ///
  /// They are stored in pairs, because a large value is copied in pairs. Reading two words that were written one by one
  /// a moment ago makes the processor wait until both have reached the cache.
  @inline(__always)
  func store(_ a: UInt, _ b: UInt, _ c: UInt, _ d: UInt, _ e: UInt, _ f: UInt) {
    // Sound: the memory has room for six words, and storing bytes needs no alignment.
    unsafe pointer.storeBytes(of: (SIMD2(a, b), SIMD2(c, d), SIMD2(e, f)), as: Words.self)
  }

  /// Stores a value that consists of a reference and words, which follow it directly or after a buffer.
  @inline(__always)
  func store(_ kind: Cell.Kind, _ address: UInt, _ words: CellWords) {
    if case .reference = kind {
      store(address, words.0, words.1, words.2, 0, 0)
    } else {
      store(address, 0, 0, words.0, words.1, words.2)
    }
  }

  /// Returns a word of a box; 0 after the end of a value of up to six words.
  fileprivate func word(_ index: Int) -> UInt {
    // Sound: a box has room for six words, which are 0 before a value is stored. Only the bytes are read, so nothing is
    // retained.
    unsafe pointer.load(fromByteOffset: index * MemoryLayout<UInt>.size, as: UInt.self)
  }

  fileprivate func words(from index: Int) -> CellWords { (word(index), word(index + 1), word(index + 2)) }
}

/// The representation of a value that is one strong reference, followed by words that are the same for every instance of
/// one class.
struct ReferenceLayout {
  let kind: Cell.Kind
  let words: CellWords
  /// The instance, which the value keeps alive.
  let object: Unowned<AnyObject>

  /// Creates the layout of the value in a box; nil for any other value.
  init?(of box: Box, _ layout: TypeLayout) {
    let memory = box.memory
    guard let kind = Self.kind(of: box.type, layout, memory) else { return nil }
    self.kind = kind
    words = memory.words(from: kind == .reference ? 1 : 3)
    object = Unowned(address: memory.word(0))
  }

  private static func kind(of type: Any.Type, _ layout: TypeLayout, _ memory: InstanceMemory) -> Cell.Kind? {
    let word = MemoryLayout<UInt>.size
    if MetadataKind.isClass(type) { return .reference }
    guard MetadataKind.existential.isKind(of: type) else { return nil }
    if MetadataKind.isClassBound(type) { return layout.size <= 4 * word ? .reference : nil }
    guard layout.size > 3 * word, layout.size <= 6 * word else { return nil }
    // An existential that could also hold a struct begins with a buffer of three words, followed by the type of the
    // buffer's contents. `type(of:)` does not return that type: it looks through an existential of a class, which the
    // buffer holds unchanged.
    let metadata = memory.word(3)
    // Sound: the word is the metadata of the value in the buffer.
    let dynamic = unsafe withUnsafePointer(to: metadata) { unsafe UnsafeRawPointer($0).load(as: Any.Type.self) }
    return MetadataKind.isClass(dynamic) ? .referenceInBuffer : nil
  }

  /// Returns a box of the value for another instance of the class.
  func box(_ object: AnyObject, as type: Any.Type) -> Box {
    Box(type) { $0.store(kind, unsafe UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()), words) }
  }
}

// MARK: - Writing, under the container's lock

extension Cell {
  /// Publishes the value in a box, or more references to it if it is published already.
  func publish(_ box: Box) {
    let (layout, word) = (layout(of: box.type), MemoryLayout<UInt>.size)
    if layout.isTrivial, layout.size <= 3 * word {
      publish(.trivial, box.memory.words(from: 0), nil)
    } else if let layout = ReferenceLayout(of: box, layout) {
      publish(layout.kind, layout.words, layout.object)
    } else {
      publish(.boxed, (0, 0, 0), Unowned(box))
    }
  }

  /// Publishes a factory, or more references to it if it is published already.
  func publish(_ factory: Definition) { publish(.factory, (0, 0, 0), Unowned(factory)) }

  private func publish(_ kind: Kind, _ words: CellWords, _ object: Unowned<AnyObject>?) {
    if reference.isFull { return reference.replenish() }
    first.store(words.0, ordering: .releasing)
    second.store(words.1, ordering: .releasing)
    third.store(words.2, ordering: .releasing)
    reference.store(object, tag: kind.tag)
  }

  /// Releases the instance, and keeps the registration; called without the lock, once nothing else refers to the
  /// container.
  mutating func releaseInstance() {
    clear(.registry)
    state = .empty
  }

  /// Removes the answer, if there is one, and stores what readers do without it.
  ///
  /// The caller must still own what was published, so that no `deinit` runs under the lock.
  func clear(_ kind: Kind) { reference.clear(tag: kind.tag) }
}
