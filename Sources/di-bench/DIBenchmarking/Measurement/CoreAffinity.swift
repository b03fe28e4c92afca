internal import Foundation

/// Spreads the threads of a sample over the cores.
///
/// The Linux scheduler often starts two new threads on one core and notices only after several milliseconds: whole runs
/// then measure threads that never met. Other systems spread them on their own, and offer no control.
enum CoreAffinity {
  /// The number of cores that the process may use.
  static var count: Int {
    #if os(Linux)
      if !cores.isEmpty { return cores.count }
    #endif
    return ProcessInfo.processInfo.activeProcessorCount
  }

  /// Ties the calling thread to a core: the first thread to the first core that the process may use, and so on,
  /// starting over if there are more threads than cores.
  static func tie(thread: Int) {
    #if os(Linux)
      guard let setAffinity = unsafe setAffinity, !cores.isEmpty else { return }
      let core = cores[thread % cores.count]
      var mask = emptyMask
      mask[core / UInt.bitWidth] |= 1 << (core % UInt.bitWidth)
      // A failure only increases the spread of the measurement. Sound: the size is that of the mask.
      _ = unsafe setAffinity(0, mask.count * MemoryLayout<UInt>.size, &mask)
    #endif
  }

  #if os(Linux)
    private typealias Call = @convention(c) (Int32, Int, UnsafeMutablePointer<UInt>) -> Int32

    // Looked up by name, because the C headers hide both unless a macro is set, which Swift does not do. Sound: the
    // type is that of both functions; a `cpu_set_t` is an array of words.

    private static func call(_ name: String) -> Call? {
      unsafe dlsym(nil, name).map { unsafe unsafeBitCast($0, to: Call.self) }
    }

    private static let setAffinity = unsafe call("sched_setaffinity")
    /// Room for 1024 cores, as in a `cpu_set_t`.
    private static let emptyMask = [UInt](repeating: 0, count: 1024 / UInt.bitWidth)

    private static let cores: [Int] = {
      var mask = emptyMask
      guard let getAffinity = unsafe call("sched_getaffinity"),
        unsafe getAffinity(getpid(), mask.count * MemoryLayout<UInt>.size, &mask) >= 0
      else { return [] }
      return (0..<1024).filter { mask[$0 / UInt.bitWidth] & 1 << ($0 % UInt.bitWidth) != 0 }
    }()
  #endif
}
