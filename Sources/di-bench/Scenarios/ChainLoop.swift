/// Resolves chains of new instances, each of which resolves the next.
struct ChainLoop<Source: Provider>: Loop {
  private let provider: Source

  init(_ provider: Source) {
    self.provider = provider
  }

  var registrations: Int? { provider.registrations }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    let before = InstanceCount.current
    var wrong = 0
    for _ in 0..<operations where provider.chain().depth != Chain.depth { wrong &+= 1 }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned a chain that is not \(Chain.depth) deep") }
    try InstanceCount.check(since: before, expected: operations * Chain.depth)
  }
}
