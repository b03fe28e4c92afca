// The types that are resolved: classes behind protocols, as apps have them. Each counts or numbers its instances, or
// tells which it is, so that the loops can check what they were given.

/// What there is one instance of.
protocol Service: Sendable {
  /// Which instance this is.
  var identity: ObjectIdentifier { get }
}

/// The one implementation of `Service`.
final class ServiceImpl: Service {
  private let launchArguments: Int

  /// Takes a number that is not known before the process runs.
  ///
  /// An object whose contents are constant could be placed in the executable, where retain and release cost nothing.
  init(launchArguments: Int) {
    self.launchArguments = launchArguments
  }

  var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// What everybody gets a new instance of.
protocol Item: Sendable {
  /// How many instances this thread had created when this one was.
  var number: Int { get }
}

/// The one implementation of `Item`.
final class ItemImpl: Item {
  let number: Int

  @inline(never)
  init() {
    number = InstanceCount.add()
  }
}

/// What is created with arguments.
protocol Labelled: Sendable {
  var number: Int { get }
  var id: Int { get }
  var name: String { get }
}

/// The one implementation of `Labelled`.
final class LabelledImpl: Labelled {
  let number: Int
  let id: Int
  let name: String

  @inline(never)
  init(id: Int, name: String) {
    number = InstanceCount.add()
    self.id = id
    self.name = name
  }
}
