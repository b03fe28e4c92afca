internal import Foundation

/// A full memory barrier on every running thread of the process: `membarrier` of Linux.
enum ProcessBarrier {
  /// Whether the system has it; asking registers the process for it.
  static let isAvailable: Bool = call(1 << 4) == 0

  /// Runs the barrier.
  static func run() {
    precondition(call(1 << 3) == 0, "The process is registered for the barrier.")
  }

  #if os(Linux) && (arch(x86_64) || arch(arm64))
    private typealias SystemCall = @convention(c) (Int, Int, Int, Int) -> Int

    /// The `syscall` function.
    ///
    /// Looked up by name, because Swift does not import functions with variable arguments. Sound: on these processors
    /// such arguments are passed in the same registers as others.
    private static let systemCall: SystemCall? = unsafe dlsym(nil, "syscall").map {
      unsafe unsafeBitCast($0, to: SystemCall.self)
    }

    #if arch(x86_64)
      private static let number = 324
    #else
      private static let number = 283
    #endif

    private static func call(_ command: Int) -> Int {
      systemCall?(number, command, 0, 0) ?? -1
    }
  #else
    private static func call(_: Int) -> Int { -1 }
  #endif
}
