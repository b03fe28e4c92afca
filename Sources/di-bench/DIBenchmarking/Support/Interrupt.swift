internal import Foundation
internal import Synchronization

/// A request to stop a command, which first finishes what it is doing.
package final class Interrupt: Sendable {
  private let flag = Atomic(false)
  package init() {}
  package var isRequested: Bool { flag.load(ordering: .relaxed) }
  func request() { flag.store(true, ordering: .relaxed) }
  static let bySignal = Interrupt()
  /// The process that this one waits for, which the signals end; 0 if there is none.
  static let child = Atomic<Int32>(0)
  /// What the process says when a signal ends it, as a C string that is never freed: what it measures.
  ///
  /// Any thread may handle the signal: with acquire and release, it sees the characters, too.
  static let lastWords = Atomic<UInt>(0)
  /// A Boolean value that indicates whether the process has nothing to finish, and ends at once with its child.
  private static let endsAtOnce = Atomic(false)
  /// What handled the signal of each crash before, which may print a backtrace.
  nonisolated(unsafe) private static let crashHandlers = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
  /// The signals that ask a command to stop: control-C, a polite `kill`, or a terminal that is closed.
  static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Makes signals request a stop instead of ending the process, or end it together with its child.
  static func handleSignals(endingAtOnce: Bool) {
    // Before there is a handler, which must not create them.
    _ = bySignal
    child.store(0, ordering: .relaxed)
    lastWords.store(0, ordering: .relaxed)
    endsAtOnce.store(endingAtOnce, ordering: .relaxed)
    for number in signals {
      let previous = signal(number) { _ in
        Interrupt.bySignal.request()
        let child = Interrupt.child.load(ordering: .relaxed)
        if child > 0 { kill(child, SIGTERM) }
        if !Interrupt.endsAtOnce.load(ordering: .relaxed) { return }
        Interrupt.printLastWords()
        _exit(ExitCode.interrupted.rawValue)
      }
      // Ignored signals stay ignored, as `nohup` expects.
      if unsafe unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    if endingAtOnce {
      for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
        unsafe sigaction(number, nil, crashHandlers + Int(number))
        signal(number) { number in
          Interrupt.printLastWords()
          unsafe sigaction(number, Interrupt.crashHandlers + Int(number), nil)
          // The instruction crashes again when it is repeated; an `abort` and some traps do not.
          if number == SIGABRT || number == SIGTRAP { raise(number) }
        }
      }
    }
    // The reader of the output may end first, as `tee` does on control-C: the rows still have to be written.
    signal(SIGPIPE, SIG_IGN)
  }

  private static func printLastWords() {
    guard let words = unsafe UnsafePointer<CChar>(bitPattern: lastWords.load(ordering: .acquiring)) else { return }
    unsafe write(STDERR_FILENO, words, strlen(words))
  }

  /// Unblocks the signals: a process inherits the blocked signals of the thread that started it.
  static func unblockSignals() {
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    for number in signals { unsafe sigaddset(&mask, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  }
}
