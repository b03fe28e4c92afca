/// Takes references from a design, and looks whether what it gets is alive.
struct DesignLoop<Source: Design>: Loop {
  private let design: Source
  private let write: (@Sendable (Source) -> Void)?

  /// Reads while nobody writes, or while another thread writes.
  init(_ design: Source, against write: (@Sendable (Source) -> Void)? = nil) {
    self.design = design
    self.write = write
  }

  var registrations: Int? { design.registrations }

  func run(_ operations: Int, thread: Int) throws(Violation) {
    let dead: Int
    if let write, thread == 0 {
      let design = design
      dead = BackgroundWriter.run({ write(design) }, during: { read(operations) })
    } else {
      dead = read(operations)
    }
    if dead > 0 { throw .wrong(dead, of: operations, "returned a dead instance") }
  }

  /// Checks that everything that was replaced has been released.
  func finish() throws(Violation) {
    let count = design.count.current
    guard count == design.expectedCount else {
      throw Violation(message: "\(count) instances are alive, expected \(design.expectedCount)")
    }
  }

  private func read(_ operations: Int) -> Int {
    var dead = 0
    for _ in 0..<operations where !design.probe().isIntact { dead &+= 1 }
    return dead
  }
}
