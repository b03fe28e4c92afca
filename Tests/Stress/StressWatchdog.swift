internal import DIBenchmarking
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Waits for threads, but not forever.
struct StressWatchdog {
  /// The seconds without a step of any thread after which it gives up.
  let patience: Double

  /// Waits until all threads have left a group.
  ///
  /// - Throws: A description of who waits for whom, if nobody has taken a step for too long.
  func wait(for group: DispatchGroup, _ logs: [StressLog]) throws(Violation) {
    var last = -1
    var start = DispatchTime.now()
    while group.wait(timeout: .now() + 0.05) == .timedOut {
      let steps = logs.reduce(0) { $0 + $1.steps.load(ordering: .relaxed) }
      if steps != last {
        last = steps
        start = .now()
      } else if seconds(since: start) > patience {
        throw Violation(message: Self.report(logs.map(\.current), patience))
      }
    }
  }

  /// Waits for a condition that other threads bring about without a signal.
  ///
  /// - Throws: The description that the closure returns, if it takes too long.
  func wait(until condition: () -> Bool, orSay message: () -> String) throws(Violation) {
    let start = DispatchTime.now()
    while !condition() {
      if seconds(since: start) > patience { throw Violation(message: message()) }
      usleep(100)
    }
  }

  private func seconds(since start: DispatchTime) -> Double {
    Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) * 1e-9
  }

  /// Returns which thread waits for which: a thread that resolves what another one creates waits for that.
  static func report(_ logs: [[StressLog.Entry]], _ patience: Double) -> String {
    let lines = logs.enumerated().map { thread, entries in
      guard case .resolving(let wanted)? = entries.last else {
        return "  thread \(thread) " + (entries.isEmpty ? "is done or between two steps" : "is in \(path(entries))")
      }
      let owner = logs.indices.first { $0 != thread && logs[$0].contains(.creating(wanted)) }
      let reason = owner.map { "waits for thread \($0), which creates it" } ?? "waits, and nobody creates it"
      return "  thread \(thread) \(path(entries)): \(reason)"
    }
    return "no thread has taken a step for \(patience.fixed(1)) s\n" + lines.joined(separator: "\n")
  }

  /// Returns the entries of a thread in words, from the outermost.
  private static func path(_ entries: [StressLog.Entry]) -> String {
    entries.map { entry in
      switch entry {
      case .resolving(let name): "resolves \(name)"
      case .creating(let name): "creates \(name)"
      case .releasing(let name): "releases \(name)"
      case .waiting: "waits for another thread, which a slow factory must not block"
      }
    }.joined(separator: ", ")
  }
}
