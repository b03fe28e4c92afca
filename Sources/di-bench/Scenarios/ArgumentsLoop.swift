/// Resolves new instances with arguments, which are others every time.
struct ArgumentsLoop<Source: Provider>: Loop {
  private let provider: Source

  init(_ provider: Source) {
    self.provider = provider
  }

  var registrations: Int? { provider.registrations }

  func run(_ operations: Int, thread: Int) throws(Violation) {
    // Too long to be kept inside the string itself, and one per thread: its reference count is not shared.
    let name = "the name that thread \(thread) passes"
    let before = InstanceCount.current
    var wrong = 0
    for id in 1...operations {
      let instance = provider.labelled(id: id, name: name)
      if instance.id != id || instance.number != before &+ id || instance.name != name { wrong &+= 1 }
    }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned an old instance or one with other arguments") }
    try InstanceCount.check(since: before, expected: operations)
  }
}
