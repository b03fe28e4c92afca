/// The loops of the probes: each runs one path a number of times, and returns how many of the results were wrong.
struct ProbeLoops<Paths: HotPaths> {
  let paths = Paths()

  /// Returns the number of times that a condition holds.
  @inline(__always) func failures(_ count: Int, _ isWrong: () -> Bool) -> Int {
    var wrong = 0
    for _ in 0..<count where isWrong() { wrong &+= 1 }
    return wrong
  }

  /// Returns the number of wrong instances; the previous one is kept, so that a new one has another address.
  @inline(__always) func failures<Value>(_ count: Int, _ make: () -> Value, _ isWrong: (Value, Value) -> Bool) -> Int {
    var previous = make()
    return failures(count) {
      let value = make()
      defer { previous = value }
      return isWrong(value, previous)
    }
  }

  @inline(never) func shared(_ count: Int) -> Int {
    let expected = paths.service().identity
    return failures(count) { paths.service().identity != expected }
  }

  @inline(never) func named(_ count: Int) -> Int {
    let expected = paths.namedService().identity
    return failures(count) { paths.namedService().identity != expected }
  }

  @inline(never) func declared(_ count: Int) -> Int {
    let expected = paths.declaredService().identity
    return failures(count) { paths.declaredService().identity != expected }
  }

  @inline(never) func classBound(_ count: Int) -> Int {
    let expected = paths.boundService().identity
    return failures(count) { paths.boundService().identity != expected }
  }

  @inline(never) func structure(_ count: Int) -> Int {
    let expected = paths.settings()
    return failures(count) { paths.settings() != expected }
  }

  @inline(never) func structureWithReferences(_ count: Int) -> Int {
    let expected = paths.session()
    return failures(count) { paths.session().differs(from: expected) }
  }

  @inline(never) func newClass(_ count: Int) -> Int { failures(count, { paths.object() }) { $0 === $1 } }

  @inline(never) func new(_ count: Int) -> Int { failures(count, { paths.part() }) { $0.identity == $1.identity } }

  @inline(never) func newWithArgument(_ count: Int) -> Int {
    var wrong = 0
    for number in 0..<count where paths.part(number: number).number != number { wrong &+= 1 }
    return wrong
  }

  @inline(never) func viewModel(_ count: Int) -> Int {
    let expected = ViewModelParts(
      service: paths.service().identity, boundService: paths.boundService().identity, store: paths.store().identity)
    var previous = paths.viewModel()
    var wrong = 0
    for _ in 0..<count {
      let model = paths.viewModel()
      if model.identity == previous.identity { wrong &+= 1 }
      previous = model
    }
    // Only of the last one, because reading them costs as much as resolving them.
    return previous.parts == expected ? wrong : wrong + 1
  }

  @inline(never) func chain(_ count: Int) -> Int {
    failures(count, { paths.chain() }) { $0 === $1 || $0.depth != Chain.depth }
  }

  @inline(never) func missing(_ count: Int) -> Int { failures(count) { paths.missing() != nil } }

  @inline(never) func eager(_ count: Int) -> Int {
    let expected = paths.service().identity
    return failures(count) { paths.eager().service.identity != expected }
  }

  @inline(never) func lazyFirst(_ count: Int) -> Int {
    let expected = paths.service().identity
    return failures(count) { paths.lazy().service.identity != expected }
  }

  @inline(never) func lazyAgain(_ count: Int) -> Int {
    let expected = paths.service().identity
    let owner = paths.lazy()
    return failures(count) { owner.service.identity != expected }
  }
}
