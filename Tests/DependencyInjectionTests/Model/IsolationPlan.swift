/// How a factory of the isolation model gets something that its instance needs.
enum IsolationWay: String, CaseIterable, Sendable {
  // At once.
  case resolver = "the resolver"
  case current = "the current container"
  case injected = "@Inject"
  case lazyNow = "@LazyInject, read at once"
  case threadWithResolver = "the resolver, on a thread"
  case threadEscaping = "an escaping closure on a thread"

  // In a container of its own: what comes out is no part of the instance.
  case child = "a child of the current container"
  case copy = "a copy of the current container"

  // By tasks that it does not wait for.
  case task = "a task"
  case taskAsync = "a task, asynchronously"
  case taskWithResolver = "the resolver, in a task"
  case detachedTask = "an escaping closure in a detached task"

  // When somebody else uses the instance.
  case lazyLater = "@LazyInject, read later"
  case lazyFromCurrent = "@LazyInject(from: .current), read later"
  case handle = "a container that was current"
  case callbackWithResolver = "the resolver, in a callback"
  case callbackEscaping = "an escaping callback"
  case callbackOfCaller = "a callback"
}

/// What a registration of the isolation model creates.
struct IsolationSpec: Sendable {
  enum Life: Sendable {
    case shared, weak, session, perContainer, new, perGraph

    /// A Boolean value that indicates whether the instance belongs to the container that registers it.
    var isOfOwner: Bool { self == .shared || self == .weak || self == .session }
  }

  struct Part: Sendable {
    /// Lower than the key of the whole, so that nothing leads back to itself.
    let key: Int
    let way: IsolationWay

    /// A Boolean value that indicates whether the factory lets the part resolve what it resolves later.
    let isUsed: Bool

    /// What a container registers that the factory makes for this.
    let overrides: [IsolationSpec]
  }

  let key: Int
  let life: Life
  let parts: [Part]
}

/// What may be registered in one round of the isolation model.
struct IsolationPlan: Sendable {
  static let keys = 0..<6
  private static let lives: [IsolationSpec.Life] = [
    .shared, .shared, .shared, .weak, .session, .perContainer, .perContainer, .new, .new, .new, .perGraph,
  ]

  /// Several for each key.
  private(set) var specs: [IsolationSpec] = []

  init(using generator: inout RepeatableGenerator) {
    for key in Self.keys {
      let lower = specs
      for _ in 0..<5 {
        let count = min(key, [0, 1, 1, 2, 2, 3].randomElement(using: &generator)!)
        let parts = (0..<count).map { _ in Self.part(below: key, lower, &generator) }
        specs.append(IsolationSpec(key: key, life: Self.lives.randomElement(using: &generator)!, parts: parts))
      }
    }
  }

  private static func part(
    below key: Int, _ lower: [IsolationSpec], _ generator: inout RepeatableGenerator
  ) -> IsolationSpec.Part {
    let way = IsolationWay.allCases.randomElement(using: &generator)!
    let count = way == .child || way == .copy ? Int.random(in: 0...2, using: &generator) : 0
    return IsolationSpec.Part(
      key: Int.random(in: 0..<key, using: &generator), way: way,
      isUsed: Int.random(in: 0..<3, using: &generator) == 0,
      overrides: (0..<count).map { _ in lower.randomElement(using: &generator)! })
  }

  func anySpec(using generator: inout RepeatableGenerator) -> IsolationSpec {
    specs.randomElement(using: &generator)!
  }

  func spec(for key: Int, using generator: inout RepeatableGenerator) -> IsolationSpec {
    specs.filter { $0.key == key }.randomElement(using: &generator)!
  }
}
