internal import Foundation
internal import DependencyInjection

/// A Boolean value that indicates whether the user wants to stop, and who has to know.
package final class Interrupt: Sendable {
  private struct State {
    var isRequested = false
    var observer: (@Sendable () -> Void)?
  }

  private let state = Locked(State())
  package init() {}
  /// A Boolean value that indicates whether it was requested.
  package var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Requests it: calls the observer.
  func request() {
    let observer = state.withLock { state in
      state.isRequested = true
      return state.observer
    }
    observer?()
  }

  /// Calls a closure when it is requested, and at once if it was; the one before is not called any more.
  func observe(_ observer: (@Sendable () -> Void)?) {
    let isRequested = state.withLock { state in
      state.observer = observer
      return state.isRequested
    }
    if isRequested { observer?() }
  }

  /// What asks a run to stop: control-C, a polite `kill`, or a terminal that is closed, unless `nohup` says otherwise.
  static let signals = [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP])

  /// Requests it on any of these signals.
  ///
  /// By handlers rather than by ignoring the signals: a process that is started inherits what is ignored, and could not
  /// be stopped before it is ready for it.
  static let bySignal: Interrupt = {
    let interrupt = Interrupt()
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return interrupt }
    unsafe wakeUp = ends[1]
    let end = ends[0]
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while unsafe read(end, &byte, 1) == 1 { interrupt.request() }
    }
    for number in signals {
      // Of what is allowed in a handler, this is enough.
      handle(number) { _ in
        var byte: UInt8 = 0
        _ = unsafe write(Interrupt.wakeUp, &byte, 1)
      }
    }
    // Whoever reads the output may go first, as `tee` does on control-C: the samples still have to be written.
    handle(SIGPIPE) { _ in }
    // A process inherits what the thread that started it had blocked.
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    for number in signals { unsafe sigaddset(&mask, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    return interrupt
  }()

  /// Where handlers write.
  ///
  /// Sound: it is set before there is a handler, and never again.
  private nonisolated(unsafe) static var wakeUp: Int32 = -1
  private typealias Handler = @convention(c) (Int32) -> Void

  /// Calls a handler on a signal.
  ///
  /// Calls that wait start again afterwards, which `signal` does not promise: `FileHandle` traps where they end early.
  private static func handle(_ number: Int32, _ handler: @escaping Handler) {
    var action = sigaction()
    #if os(Linux)
      unsafe action.__sigaction_handler.sa_handler = handler
    #else
      unsafe action.__sigaction_u.__sa_handler = handler
    #endif
    action.sa_flags = SA_RESTART
    unsafe sigaction(number, &action, nil)
  }

  /// A Boolean value that indicates whether a signal is ignored, as by the program that has started this one.
  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    #if os(Linux)
      let handler = unsafe action.__sigaction_handler.sa_handler
    #else
      let handler = unsafe action.__sigaction_u.__sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
