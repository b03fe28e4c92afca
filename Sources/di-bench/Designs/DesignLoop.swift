/// Takes references from a design, and looks whether what it gets is alive.
struct DesignLoop<Source: Design>: Loop {
  private let design: Source
  private let writer: BackgroundWriter?

  /// Reads while nobody writes, or while another thread writes.
  init(_ design: Source, against write: (@Sendable (Source) -> Void)? = nil) {
    self.design = design
    writer = write.map { write in BackgroundWriter { write(design) } }
  }

  var registrations: Int? { design.registrations }

  func run(_ operations: Int, thread: Int) throws(Violation) {
    let dead: Int
    if let writer, thread == 0 {
      dead = writer.run { read(operations) }
    } else {
      dead = read(operations)
    }
    if dead > 0 { throw .wrong(dead, of: operations, "returned a dead instance") }
  }

  /// Checks that everything that was replaced has been released.
  func finish() throws(Violation) {
    writer?.end()
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
