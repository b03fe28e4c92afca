/// What there is one instance of, by a protocol that only classes can conform to.
protocol BoundService: AnyObject, Sendable {
  /// Which instance this is.
  var identity: ObjectIdentifier { get }
}

/// The implementations of `BoundService`.
///
/// Two, because the optimizer would know what is behind the protocol if there were only one, and not retain it.
enum BoundServices {
  /// The one that is used.
  private final class Usual: BoundService {
    private let launchArguments: Int

    init(launchArguments: Int) {
      self.launchArguments = launchArguments
    }

    var identity: ObjectIdentifier { ObjectIdentifier(self) }
  }

  /// One for command lines that nobody writes.
  private final class Unusual: BoundService {
    private let launchArguments: Int

    init(launchArguments: Int) {
      self.launchArguments = launchArguments
    }

    var identity: ObjectIdentifier { ObjectIdentifier(self) }
  }

  /// A new instance of one of them.
  static func make() -> any BoundService {
    let count = CommandLine.arguments.count
    return count > 1000 ? Unusual(launchArguments: count) : Usual(launchArguments: count)
  }
}
