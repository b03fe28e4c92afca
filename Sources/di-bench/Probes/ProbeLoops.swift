internal import DependencyInjection
internal import Foundation

/// The loops of the probes: each runs one path a number of times, and returns how many of the results were wrong.
struct ProbeLoops<Paths: HotPaths> {
  private let paths: Paths

  init(_ paths: Paths = Paths()) {
    self.paths = paths
  }

  @inline(never)
  func shared(_ count: Int) -> Int {
    let expected = paths.service().identity
    var wrong = 0
    for _ in 0..<count where paths.service().identity != expected { wrong &+= 1 }
    return wrong
  }

  @inline(never)
  func classBound(_ count: Int) -> Int {
    let expected = paths.boundService().identity
    var wrong = 0
    for _ in 0..<count where paths.boundService().identity != expected { wrong &+= 1 }
    return wrong
  }

  @inline(never)
  func structure(_ count: Int) -> Int {
    let expected = paths.settings()
    var wrong = 0
    for _ in 0..<count where paths.settings() != expected { wrong &+= 1 }
    return wrong
  }

  @inline(never)
  func structureWithReferences(_ count: Int) -> Int {
    let expected = paths.session()
    var wrong = 0
    for _ in 0..<count where paths.session().differs(from: expected) { wrong &+= 1 }
    return wrong
  }

  @inline(never)
  func newClass(_ count: Int) -> Int {
    // The one before is kept, so that a new one is somewhere else.
    var previous = paths.object()
    var wrong = 0
    for _ in 0..<count {
      let object = paths.object()
      if object === previous { wrong &+= 1 }
      previous = object
    }
    return wrong
  }

  @inline(never)
  func new(_ count: Int) -> Int {
    var previous = paths.part()
    var wrong = 0
    for _ in 0..<count {
      let part = paths.part()
      if part.identity == previous.identity { wrong &+= 1 }
      previous = part
    }
    return wrong
  }

  @inline(never)
  func newWithArgument(_ count: Int) -> Int {
    var wrong = 0
    for number in 0..<count where paths.part(number: number).number != number { wrong &+= 1 }
    return wrong
  }

  @inline(never)
  func viewModel(_ count: Int) -> Int {
    let expected = ViewModelParts(
      service: paths.service().identity, boundService: paths.boundService().identity, store: paths.store().identity)
    var previous = paths.viewModel()
    var wrong = 0
    for _ in 0..<count {
      let model = paths.viewModel()
      if model.identity == previous.identity { wrong &+= 1 }
      previous = model
    }
    // Of the last only, because looking at them costs as much as resolving them.
    return previous.parts == expected ? wrong : wrong + 1
  }

  @inline(never)
  func chain(_ count: Int) -> Int {
    var previous = paths.chain()
    var wrong = 0
    for _ in 0..<count {
      let chain = paths.chain()
      if chain === previous || chain.depth != Chain.depth { wrong &+= 1 }
      previous = chain
    }
    return wrong
  }

  @inline(never)
  func missing(_ count: Int) -> Int {
    var wrong = 0
    for _ in 0..<count where paths.missing() != nil { wrong &+= 1 }
    return wrong
  }

  @inline(never)
  func eager(_ count: Int) -> Int {
    let expected = paths.service().identity
    var wrong = 0
    for _ in 0..<count where paths.eager().service.identity != expected { wrong &+= 1 }
    return wrong
  }

  @inline(never)
  func lazyFirst(_ count: Int) -> Int {
    let expected = paths.service().identity
    var wrong = 0
    for _ in 0..<count where paths.lazy().service.identity != expected { wrong &+= 1 }
    return wrong
  }

  @inline(never)
  func lazyAgain(_ count: Int) -> Int {
    let expected = paths.service().identity
    let owner = paths.lazy()
    var wrong = 0
    for _ in 0..<count where owner.service.identity != expected { wrong &+= 1 }
    return wrong
  }
}

extension ProbeLoops<ContainerPaths> {
  /// The same as `shared`, after the process has observed resolves for a while and stopped.
  func sharedAfterRecording(_ count: Int) -> Int {
    let observer = CountingObserver()
    DIContainer.shared.setObserver(observer)
    _ = paths.service()
    DIContainer.shared.setObserver(nil)
    let seen = observer.count.withLock { $0 }
    return shared(count) + (seen == 1 && observer.count.withLock { $0 } == 1 ? 0 : 1)
  }
}

/// Counts the resolves that it sees on the thread that has made it.
private final class CountingObserver: ResolutionObserver {
  let count = Locked(0)
  private let thread = ObjectIdentifier(Thread.current)

  func didResolve(_: Resolution) {
    if ObjectIdentifier(Thread.current) == thread { count.withLock { $0 += 1 } }
  }
}
