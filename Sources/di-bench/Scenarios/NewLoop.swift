/// Resolves new instances.
struct NewLoop<Source: Provider>: Loop {
  private let provider: Source

  init(_ provider: Source) {
    self.provider = provider
  }

  var registrations: Int? { provider.registrations }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    let before = InstanceCount.current
    var wrong = 0
    for index in 1...operations where provider.item().number != before &+ index { wrong &+= 1 }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned an instance that is not the newest") }
    try InstanceCount.check(since: before, expected: operations)
  }
}

extension InstanceCount {
  /// Checks how many instances the calling thread has created.
  static func check(since before: Int, expected: Int) throws(Violation) {
    let created = current - before
    if created != expected { throw Violation(message: "\(created) instances were created, expected \(expected)") }
  }
}
