public import DependencyInjection

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension DIContainer {
  /// One resolve that a test has seen.
  ///
  /// It is printed as failures show it: `HomeViewModel -> Router (Home/HomeViewModel.swift:12)`.
  public struct Resolution: Sendable, CustomStringConvertible {
    /// The type that was asked for; an alias counts as itself.
    public let type: Any.Type

    /// The name that was asked for, if it was one.
    public let name: DependencyName?

    /// The names of the types that were being created, outermost first, then that of the type.
    public let path: [String]

    /// Where it was asked for.
    public let location: SourceLocation

    /// A Boolean value that indicates whether this resolve created the instance; otherwise there was one.
    public let isCreated: Bool

    /// The task or the thread that asked.
    public let caller: Caller

    /// A task, or a thread on which no task runs.
    public enum Caller: Hashable, Sendable {
      /// A task. Two tasks have different numbers while both exist.
      case task(UInt)

      /// A thread. Two threads have different numbers while both exist.
      case thread(UInt)
    }

    /// What was asked for, as containers find it.
    let key: Key

    /// The type and the name that were asked for, as paths show them.
    var asked: String { path.last ?? displayName(type, name) }

    /// The path and the place of the resolve.
    public var description: String { "\(path.joined(separator: " -> ")) (\(location))" }

    /// What the calling thread resolves.
    init(_ resolution: ResolutionEvent) {
      type = resolution.type
      name = resolution.name
      path = resolution.path
      location = resolution.location
      isCreated = resolution.isCreated
      caller = .current
      key = resolution.key
    }
  }
}

extension DIContainer.Resolution.Caller {
  /// Who runs the calling code.
  static var current: Self {
    unsafe withUnsafeCurrentTask { task in
      if let task = unsafe task { return .task(UInt(bitPattern: unsafe task.hashValue)) }
      #if canImport(Glibc)
        return .thread(pthread_self())
      #else
        return .thread(unsafe UInt(bitPattern: pthread_self()))
      #endif
    }
  }
}
