/// The system's threads, and the stack of the calling one.
enum SystemThread {
  /// The limit below which a stack is nearly used.
  struct StackLimit {
    /// The address below which too little of the stack is left to continue.
    let address: UInt

    /// The number of bytes below that address.
    ///
    /// It is a quarter of a stack of 512 KiB, which is the smallest that most systems give to a thread. Reporting the
    /// failure takes 30 KiB, so for a smaller stack the reserve is a larger part.
    let reserve: UInt
  }

  /// Returns the limit of the calling thread's stack.
  ///
  /// It takes microseconds, so keep the result.
  static func stackLimit() -> StackLimit {
    let (lowest, size) = stack()
    let reserve = min(128 << 10, max(size / 2, min(48 << 10, size / 4 * 3)))
    return StackLimit(address: lowest + reserve, reserve: reserve)
  }

  /// Returns a Boolean value that indicates whether the calling function's stack frame is in the reserve below a limit.
  static func isStackBelow(_ limit: StackLimit) -> Bool {
    // Memory whose size the compiler does not know is on the stack. With the address sanitizer, a variable is not.
    let size = Int(truncatingIfNeeded: limit.address & 1) + 1
    let address = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { memory in
      UInt(bitPattern: memory.baseAddress!)
    }
    return address < limit.address && address >= limit.address - limit.reserve
  }
}
