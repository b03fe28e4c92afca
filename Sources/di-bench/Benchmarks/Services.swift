// The types that are resolved: classes behind protocols, as in apps. Each counts, numbers or identifies its instances,
// so that the loops can check what they get. Their contents are not known until the process runs: an object with
// constant contents could be placed in the executable, where retain and release cost nothing.

/// A protocol whose implementation is shared.
protocol Service: Sendable {
  var identity: ObjectIdentifier { get }
}

final class ServiceImpl: Service {
  private let launchArguments: Int
  init(launchArguments: Int) { self.launchArguments = launchArguments }
  var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// Another protocol whose implementation is shared.
protocol Store: Sendable {
  var identity: ObjectIdentifier { get }
}

final class StoreImpl: Store {
  private let launchArguments = CommandLine.arguments.count
  var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// A protocol that only classes can conform to, whose implementation is shared.
protocol BoundService: AnyObject, Sendable {
  var identity: ObjectIdentifier { get }
}

/// The implementations of `BoundService`.
///
/// There are two: with only one, the optimizer would know what is behind the protocol, and would not retain it.
enum BoundServices {
  /// The one that is used.
  private final class Usual: BoundService {
    private let launchArguments: Int
    init(launchArguments: Int) { self.launchArguments = launchArguments }
    var identity: ObjectIdentifier { ObjectIdentifier(self) }
  }

  /// One for command lines that nobody writes.
  private final class Unusual: BoundService {
    private let launchArguments: Int
    init(launchArguments: Int) { self.launchArguments = launchArguments }
    var identity: ObjectIdentifier { ObjectIdentifier(self) }
  }

  /// A new instance of one of them.
  static func make() -> any BoundService {
    let count = CommandLine.arguments.count
    return count > 1000 ? Unusual(launchArguments: count) : Usual(launchArguments: count)
  }
}

/// A value without references.
struct Settings: Equatable, Sendable {
  let width, height: Int
  static func make() -> Settings { Settings(width: CommandLine.arguments.count, height: 7) }
}

/// A value with two references and three numbers.
struct Session: Sendable {
  final class Part: Sendable {
    private let launchArguments = CommandLine.arguments.count
  }

  let user = Part()
  let cache = Part()
  let id, start, end: Int

  static func make() -> Session {
    let count = CommandLine.arguments.count
    return Session(id: count, start: count + 1, end: count + 2)
  }

  /// A Boolean value that indicates whether it is another one, or incomplete.
  func differs(from other: Session) -> Bool {
    user !== other.user || cache !== other.cache || id != other.id || end != other.end
  }
}

/// An instance that is repeatedly replaced.
protocol Revision: Sendable {
  var number: Int { get }
}

final class RevisionImpl: Revision {
  let number: Int
  init(number: Int) { self.number = number }
}

// MARK: - One for each thread

/// A protocol whose implementation only one thread resolves, through a protocol of its own.
protocol ThreadService: Sendable {
  var identity: ObjectIdentifier { get }
}

protocol ThreadServiceA: ThreadService {}
protocol ThreadServiceB: ThreadService {}
protocol ThreadServiceC: ThreadService {}
protocol ThreadServiceD: ThreadService {}

final class ThreadServiceImpl: ThreadServiceA, ThreadServiceB, ThreadServiceC, ThreadServiceD {
  /// Gives each instance cache lines of its own: threads that count references to neighbors would slow each other down,
  /// depending on where the allocator puts them.
  private let padding = (
    SIMD64<UInt8>(), SIMD64<UInt8>(repeating: UInt8(truncatingIfNeeded: CommandLine.arguments.count))
  )

  var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

// MARK: - New ones

/// A type that is created anew each time.
protocol Item: Sendable {
  /// The number of instances that this thread had created when it created this one.
  var number: Int { get }
}

final class ItemImpl: Item {
  let number: Int
  @inline(never) init() { number = InstanceCount.add() }
}

/// A protocol whose implementation is created with arguments.
protocol Labelled: Sendable {
  var number: Int { get }
  var id: Int { get }
  var name: String { get }
}

final class LabelledImpl: Labelled {
  let number, id: Int
  let name: String

  @inline(never) init(id: Int, name: String) {
    number = InstanceCount.add()
    self.id = id
    self.name = name
  }
}

/// A protocol whose implementation is created anew from three shared instances.
protocol ViewModel: Sendable {
  var identity: ObjectIdentifier { get }
  var parts: ViewModelParts { get }
}

/// The instances that a view model was created from.
struct ViewModelParts: Equatable, Sendable {
  let service, boundService, store: ObjectIdentifier
}

final class ViewModelImpl: ViewModel {
  private let service: any Service
  private let boundService: any BoundService
  private let store: any Store

  @inline(never) init(_ service: any Service, _ boundService: any BoundService, _ store: any Store) {
    self.service = service
    self.boundService = boundService
    self.store = store
  }

  var identity: ObjectIdentifier { ObjectIdentifier(self) }

  var parts: ViewModelParts {
    ViewModelParts(service: service.identity, boundService: boundService.identity, store: store.identity)
  }
}

/// Ten classes, each of which needs an instance of the one before; not counted, because counting would hide a difference.
enum Chain {
  static let depth = 10
  typealias Link1 = Link<End>
  typealias Link2 = Link<Link1>
  typealias Link3 = Link<Link2>
  typealias Link4 = Link<Link3>
  typealias Link5 = Link<Link4>
  typealias Link6 = Link<Link5>
  typealias Link7 = Link<Link6>
  typealias Link8 = Link<Link7>
  typealias Link9 = Link<Link8>
  typealias Last = Link<Link9>

  protocol Part: Sendable {
    var depth: Int { get }
  }

  struct End: Part {
    var depth: Int { 0 }
  }

  final class Link<Next: Part>: Part {
    let next: Next
    let depth: Int

    @inline(never) init(_ next: Next) {
      self.next = next
      depth = next.depth + 1
    }
  }
}
