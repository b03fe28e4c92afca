/// Resolves the one instance of a type that only this thread asks for, as long as there are no more than four threads.
struct LaneLoop<Source: Provider>: Loop {
  private let provider: Source
  private let expected: [ObjectIdentifier]

  init(_ provider: Source) {
    self.provider = provider
    expected = [
      provider.laneA().identity, provider.laneB().identity, provider.laneC().identity, provider.laneD().identity,
    ]
  }

  var registrations: Int? { provider.registrations }

  func run(_ operations: Int, thread: Int) throws(Violation) {
    let expected = expected[thread % 4]
    var wrong = 0
    // Written out, so that what is done for each operation is the resolve and nothing else.
    switch thread % 4 {
    case 0: for _ in 0..<operations where provider.laneA().identity != expected { wrong &+= 1 }
    case 1: for _ in 0..<operations where provider.laneB().identity != expected { wrong &+= 1 }
    case 2: for _ in 0..<operations where provider.laneC().identity != expected { wrong &+= 1 }
    default: for _ in 0..<operations where provider.laneD().identity != expected { wrong &+= 1 }
    }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned another instance than this thread's") }
  }

  func finish() throws(Violation) {
    if Set(expected).count != 4 { throw Violation(message: "different types have the same instance") }
  }
}
