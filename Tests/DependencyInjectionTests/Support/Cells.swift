@testable internal import DependencyInjection

extension DIContainer {
  /// Returns what a resolve finds in a cell, if it finds anything.
  func value<Value>(in cell: StablePointer<Cell>, as type: Value.Type = Value.self) -> Value? {
    unsafe withUnsafeTemporaryAllocation(byteCount: max(48, MemoryLayout<Value>.size), alignment: 16) { buffer in
      let memory = buffer.baseAddress!
      guard resolveFromCell(cell, .none, in: .now, into: unsafe ResultMemory(memory)) == .found else { return nil }
      return unsafe memory.assumingMemoryBound(to: Value.self).move()
    }
  }
}
