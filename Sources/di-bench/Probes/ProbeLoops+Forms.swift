internal import DependencyInjection
internal import Foundation

/// Other forms of the paths through the shared container, and the paths through others.
extension ProbeLoops<ContainerPaths> {
  // MARK: Other forms of a resolution

  @inline(never) func optional(_ count: Int) -> Int {
    let expected = paths.service().identity
    return failures(count) {
      if let service: any Service = DIContainer.resolve() { service.identity != expected } else { true }
    }
  }

  @inline(never) func optionalNew(_ count: Int) -> Int {
    failures(
      count,
      { () -> any ProbePart in if let part: any ProbePart = DIContainer.resolve() { part } else { paths.part() } }
    ) {
      $0.identity == $1.identity
    }
  }

  @inline(never) func tryShared(_ count: Int) -> Int {
    let expected = paths.service().identity
    return failures(count) { (try? DIContainer.tryResolve((any Service).self))?.identity != expected }
  }

  @inline(never) func tryNew(_ count: Int) -> Int {
    failures(count, { tried { () throws(ResolutionError) -> any ProbePart in try DIContainer.tryResolve() } }) {
      $0.identity == $1.identity
    }
  }

  @inline(never) func tryWithArgument(_ count: Int) -> Int {
    var wrong = 0
    for number in 0..<count {
      let part = tried { () throws(ResolutionError) -> any NumberedPart in try DIContainer.tryResolve { number } }
      if part.number != number { wrong &+= 1 }
    }
    return wrong
  }

  @inline(__always) private func tried<Value>(_ resolve: () throws(ResolutionError) -> Value) -> Value {
    do throws(ResolutionError) { return try resolve() } catch { fatalError("\(error)") }
  }

  @inline(never) func eagerDeclared(_ count: Int) -> Int {
    let expected = paths.declaredService().identity
    return failures(count) { EagerDeclared().service.identity != expected }
  }

  /// An owner with an injected property that a `Dependency` declares.
  private struct EagerDeclared {
    @Inject(DIContainer.declaredService) var service
  }

  @inline(never) func asyncShared(_ count: Int) -> Int {
    let expected = paths.service().identity
    let wrong = Locked(0)
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      var found = 0
      for _ in 0..<count {
        let service: (any Service)? = try? await DIContainer.resolveAsync()
        if service?.identity != expected { found &+= 1 }
      }
      wrong.withLock { $0 = found }
      end.signal()
    }
    end.wait()
    return wrong.withLock { $0 }
  }

  // MARK: What a process has done before

  func afterOverride(_ count: Int, _ loop: (Self) -> (Int) -> Int) -> Int {
    overriding { loop(self)(1) } + loop(self)(count)
  }

  func inScope(_ count: Int, _ loop: (Self) -> (Int) -> Int) -> Int {
    overriding { loop(self)(count) }
  }

  private func overriding(_ body: () -> Int) -> Int {
    let wrong = DIContainer.withOverrides {
      New(ProbeOverride())
    } perform: {
      // An optional of what is overridden, and of what is not.
      [DIContainer.resolve(ProbeOverride?.self) == nil, DIContainer.resolve(ProbeObject?.self) == nil].contains(true)
        ? 1 : body()
    }
    return DIContainer.resolve(ProbeOverride?.self) == nil ? wrong : wrong + 1
  }

  /// Runs `new` after a `PerGraph` has been resolved.
  func newAfterGraph(_ count: Int) -> Int {
    DIContainer.register(PerGraph(ProbeGraphPart()))
    return DIContainer.resolve(ProbeGraphPart?.self) == nil ? 1 : new(count)
  }

  /// Runs `shared` after the process has observed resolutions for a while.
  func sharedAfterRecording(_ count: Int) -> Int {
    let observer = CountingObserver()
    DIContainer.shared.addObserver(observer)
    _ = paths.service()
    DIContainer.shared.removeObserver(observer)
    let seen = observer.count.withLock { $0 }
    return shared(count) + (seen == 1 && observer.count.withLock { $0 } == 1 ? 0 : 1)
  }

  // MARK: Other containers

  @inline(never) func sharedOfOwn(_ count: Int) -> Int { shared(from: ProbeContainer.filled, count) }

  @inline(never) func newOfOwn(_ count: Int) -> Int {
    failures(count, { () -> any ProbePart in ProbeContainer.filled.resolve() }) { $0.identity == $1.identity }
  }

  @inline(never) func sharedOfParent(_ count: Int) -> Int {
    shared(from: DIContainer(parent: ProbeContainer.filled), count)
  }

  @inline(__always) private func shared(from container: DIContainer, _ count: Int) -> Int {
    let expected = ProbeContainer.filled.resolve((any Service).self).identity
    return failures(count) { container.resolve((any Service).self).identity != expected }
  }

  /// Does what a server does for each request.
  @inline(never) func request(_ count: Int) -> Int {
    let expected = ProbeContainer.filled.resolve((any Service).self).identity
    let wrong = failures(count) {
      let request = DIContainer(parent: ProbeContainer.filled)
      request.register {
        New(ProbeOverride())
        Shared(ProbeObject())
      }
      let services = (
        request.resolve((any Service).self), request.resolve((any BoundService).self), request.resolve((any Store).self)
      )
      let parts = (request.resolve((any ProbePart).self), request.resolve(Settings.self))
      return services.0.identity != expected || parts.0.identity == services.1.identity
    }
    // What a child registers is not in its parent.
    return ProbeContainer.filled.resolve(ProbeOverride?.self) == nil ? wrong : wrong + 1
  }
}

/// A container with the registrations of the shared one; it is never current.
private enum ProbeContainer {
  static let filled = {
    _ = ContainerProvider.installed
    return DIContainer(copying: DIContainer.shared.registry, withObservers: false)
  }()
}

/// The type that a scope or a request registers for itself, and that nothing outside of it has.
private final class ProbeOverride: Sendable {}

/// The type that is created once for each graph; another one, because it stays registered.
private final class ProbeGraphPart: Sendable {}

/// Counts the resolutions that it sees on the thread that created it.
private final class CountingObserver: ResolutionObserver {
  let count = Locked(0)
  private let thread = ObjectIdentifier(Thread.current)

  func didResolve(_: ResolutionEvent, for _: Definition?, from _: Definition?) {
    if ObjectIdentifier(Thread.current) == thread { count.withLock { $0 += 1 } }
  }
}
