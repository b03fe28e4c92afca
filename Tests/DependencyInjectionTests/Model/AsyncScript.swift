/// Everything that one round of the asynchronous model test does, according to its seed; the order is up to the system.
struct AsyncScript: Sendable {
  /// A step of a lane.
  enum Operation: Sendable {
    /// Starts tasks that resolve a key; some are canceled before they ask.
    case ask(container: Int, key: Int, tasks: Int, cancelled: Set<Int>)

    /// Resolves a key synchronously, which may not be possible.
    case askSynchronously(container: Int, key: Int)

    /// Cancels one of the tasks that the lane has started.
    case cancel(Int)
    case change(AsyncChange)

    /// Creates a child, which only this lane knows until the others are done.
    case create(container: Int)
    case open(signal: Int)
    case yield(Int)
  }

  /// The number of signals; nobody opens the last one before the end.
  static let signals = 3

  private(set) var parents: [Int?] = [nil]

  /// What each container has before others can see it.
  private(set) var beginnings: [[AsyncEntry]] = [[]]

  private var keys: [[Int]] = [[]]

  /// The keys for which a container always has a registration, though not always the same.
  private(set) var stableKeys: [Set<Int>] = [[]]
  private(set) var lanes: [[Operation]] = []

  /// A Boolean value that indicates whether everybody is canceled in the end; otherwise all signals are opened.
  private(set) var endsCancelled = false

  /// A Boolean value that indicates whether all instances are held until the end.
  private(set) var holdsInstances = false

  private(set) var entries: [AsyncEntry] = []
  /// A Boolean value that indicates whether registrations may lead back to themselves.
  let hasCycles: Bool

  private let (changes, cancels): (Bool, Bool)
  private var generator: RepeatableGenerator

  init(seed: UInt64) {
    generator = RepeatableGenerator(seed: seed)
    changes = Int.random(in: 0..<3, using: &generator) > 0
    cancels = Int.random(in: 0..<4, using: &generator) > 0
    hasCycles = Int.random(in: 0..<5, using: &generator) == 0
    endsCancelled = cancels && chance(1, of: 2)
    holdsInstances = chance(2, of: 3)
    choose(18, of: 20, for: 0)
    for parent in [0, Int.random(in: 0...1, using: &generator), Int.random(in: 1...2, using: &generator)] {
      addContainer(below: parent)
    }
    for container in parents.indices { fill(container) }
    for _ in 0..<Int.random(in: 2...5, using: &generator) { addLane() }
  }

  // MARK: Containers

  /// A container and its ancestors, nearest first.
  func chain(_ container: Int) -> [Int] {
    container < 0 ? [] : Array(sequence(first: container) { parents[$0] })
  }

  /// How many ancestors a container has.
  func level(_ container: Int) -> Int { chain(container).count - 1 }

  private mutating func addContainer(below parent: Int) {
    parents.append(parent)
    beginnings.append([])
    keys.append([])
    stableKeys.append([])
    choose(2, of: 7, for: parents.count - 1)
  }

  /// Chooses the keys that a container has registrations for before others can see it.
  private mutating func choose(_ part: Int, of whole: Int, for container: Int) {
    keys[container] = AsyncEntry.keys.filter { _ in chance(part, of: whole) }
    stableKeys[container] = Set(keys[container].filter { _ in container > 0 || chance(1, of: 2) })
  }

  private mutating func fill(_ container: Int) {
    for key in keys[container] { beginnings[container].append(newEntry(container, key)) }
  }

  // MARK: What may go wrong

  /// The keys that the resolution of a key may lead to.
  func reach(of key: Int) -> Set<Int> {
    var (found, open): (Set<Int>, [Int]) = ([], [key])
    while let next = open.popLast() {
      for need in entries.filter({ $0.key == next }).flatMap(\.needs) where found.insert(need).inserted {
        open.append(need)
      }
    }
    return found
  }

  /// A Boolean value that indicates whether instances resolve in their `deinit`, which may be anywhere in a factory.
  private var resolvesInDeinit: Bool { !hasCycles && !holdsInstances }

  /// Returns whether the resolution of a key may lead back to where it has been.
  func mayCycle(_ key: Int) -> Bool {
    resolvesInDeinit || reach(of: key).union([key]).contains { reach(of: $0).contains($0) }
  }

  // MARK: Choosing

  private mutating func chance(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &generator) < part
  }

  private mutating func anyKey() -> Int { AsyncEntry.keys.randomElement(using: &generator)! }

  private mutating func newEntry(_ container: Int, _ key: Int) -> AsyncEntry {
    let isAsync = !AsyncEntry.synchronousKeys.contains(key) && chance(4, of: 5)
    var candidates = Array((isAsync ? AsyncEntry.keys : AsyncEntry.synchronousKeys).prefix { $0 < key })
    if hasCycles, chance(1, of: 4) {
      candidates = Array(isAsync ? AsyncEntry.keys.dropFirst(3) : AsyncEntry.synchronousKeys[...])
    }
    var parts = Array(candidates.shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator)))
    if let part = parts.first, chance(1, of: 3) { parts.append(part) }
    var steps: [AsyncEntry.Step] = parts.map { .part($0) }
    if isAsync {
      // In a cycle of `New` the number of tasks would double with each level.
      if !hasCycles, parts.count > 1, chance(1, of: 3) { steps = [.parts(parts)] }
      // Nor is a cycle found through tasks that nobody waits for.
      if !hasCycles, let part = parts.last, chance(1, of: 6) { insert(.stray(part), into: &steps) }
      if chance(1, of: 2) { insert(.signal(Int.random(in: 0..<Self.signals, using: &generator)), into: &steps) }
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        insert(.yield(Int.random(in: 1...5, using: &generator)), into: &steps)
      }
    }
    if chance(1, of: 10) { insert(.fail(times: Int.random(in: 1...3, using: &generator)), into: &steps) }
    if changes, chance(1, of: 8), let change = newChange(in: 0..<4) {
      insert(.change(change), into: &steps)
    }
    let entry = AsyncEntry(
      number: entries.count, container: container, key: key, life: .allCases.randomElement(using: &generator)!,
      isAsync: isAsync, steps: steps, ignoresCancellation: chance(1, of: 5),
      lastKey: resolvesInDeinit && key > 0 && chance(1, of: 4) ? min(key, 3) - 1 : nil)
    entries.append(entry)
    return entry
  }

  private mutating func insert(_ step: AsyncEntry.Step, into steps: inout [AsyncEntry.Step]) {
    steps.insert(step, at: Int.random(in: 0...steps.count, using: &generator))
  }

  private mutating func newChange(in containers: some Collection<Int>) -> AsyncChange? {
    let container = containers.randomElement(using: &generator)!
    let key = anyKey()
    switch Int.random(in: 0..<11, using: &generator) {
    case 0..<4: return .register(newEntry(container, key))
    case 4:
      let old = entries.filter { $0.container == container }.randomElement(using: &generator)
      return old.map { .register($0) }
    case 5..<7: return stableKeys[container].contains(key) ? nil : .unregister(container: container, key: key)
    case 7..<9: return .reset(container: container)
    case 9: return .resetScope(container: container)
    default: return .resetOwn(container: container)
    }
  }

  private mutating func addLane() {
    lanes.append([])
    var containers = Array(0..<4)
    for _ in 0..<Int.random(in: 5...15, using: &generator) {
      let container = containers.randomElement(using: &generator)!
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<3 where changes: newChange(in: containers).map { lanes[lanes.count - 1].append(.change($0)) }
      case 0..<6 where cancels: add(.cancel(Int.random(in: 0..<100, using: &generator)))
      case 6..<8: add(.open(signal: Int.random(in: 0..<Self.signals - 1, using: &generator)))
      case 8: add(.askSynchronously(container: container, key: anyKey()))
      case 9 where containers.count < 6:
        addContainer(below: container)
        containers.append(parents.count - 1)
        fill(containers.last!)
        add(.create(container: containers.last!))
      case 9..<12: add(.yield(Int.random(in: 1...20, using: &generator)))
      default:
        let tasks = [1, 1, 2, 5].randomElement(using: &generator)!
        let cancelled = Set((0..<tasks).filter { _ in cancels && chance(1, of: 8) })
        let key = chance(2, of: 3) ? Int.random(in: 5..<8, using: &generator) : anyKey()
        add(.ask(container: container, key: key, tasks: tasks, cancelled: cancelled))
      }
    }
  }

  private mutating func add(_ operation: Operation) { lanes[lanes.count - 1].append(operation) }
}
