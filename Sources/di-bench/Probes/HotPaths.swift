/// The hot paths that probes run: through a container, or written by hand.
///
/// The resolved types are the smallest that can be checked: any work of an initializer would be in both counts, and
/// would hide a difference.
protocol HotPaths: Sendable {
  associatedtype Eager: ServiceOwner
  associatedtype Lazy: ServiceOwner
  /// Prepares everything that is not part of a path.
  init()
  func service() -> any Service
  func namedService() -> any Service
  func declaredService() -> any Service
  func boundService() -> any BoundService
  func store() -> any Store
  func settings() -> Settings
  func session() -> Session
  func object() -> ProbeObject
  func part() -> any ProbePart
  func part(number: Int) -> any NumberedPart
  func viewModel() -> any ViewModel
  func chain() -> Chain.Last
  func missing() -> (any MissingPart)?
  /// An owner that gets its service when it is created.
  func eager() -> Eager
  /// An owner that gets its service when it is first asked for it.
  func lazy() -> Lazy
}

/// Something with a property to inject.
protocol ServiceOwner {
  var service: any Service { get }
}

/// A class that is created anew every time, resolved by its own type.
final class ProbeObject: Sendable {
  @inline(never) init() {}
}

/// A protocol whose implementation is created anew every time.
protocol ProbePart: Sendable {
  var identity: ObjectIdentifier { get }
}

final class ProbePartImpl: ProbePart {
  @inline(never) init() {}
  var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// A protocol whose implementation is created with an argument.
protocol NumberedPart: Sendable {
  var number: Int { get }
}

final class NumberedPartImpl: NumberedPart {
  let number: Int

  @inline(never) init(number: Int) {
    self.number = number
  }
}

/// A protocol that nothing is registered for.
protocol MissingPart: Sendable {}
