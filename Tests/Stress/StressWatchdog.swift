internal import DIBenchmarking
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Waits for threads, but not for ever.
struct StressWatchdog {
  /// How long nobody may take a step, in seconds.
  let patience: Double

  /// Waits until all threads have left a group.
  ///
  /// - Throws: Who waits for whom, if nobody has taken a step for too long.
  func wait(for group: DispatchGroup, _ diaries: [StressDiary]) throws(Violation) {
    var last = -1
    var start = DispatchTime.now()
    while group.wait(timeout: .now() + 0.05) == .timedOut {
      let steps = diaries.reduce(0) { $0 + $1.steps.load(ordering: .relaxed) }
      if steps != last {
        last = steps
        start = .now()
      } else if seconds(since: start) > patience {
        throw Violation(message: Self.report(diaries.map(\.current), patience))
      }
    }
  }

  /// Waits for a condition that other threads bring about without telling.
  ///
  /// - Throws: What the closure says, if it takes too long.
  func wait(until condition: () -> Bool, orSay message: () -> String) throws(Violation) {
    let start = DispatchTime.now()
    while !condition() {
      if seconds(since: start) > patience { throw Violation(message: message()) }
      sched_yield()
    }
  }

  private func seconds(since start: DispatchTime) -> Double {
    Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) * 1e-9
  }

  /// Who waits for whom: a thread that resolves what another one creates waits for that.
  static func report(_ diaries: [[StressDiary.Entry]], _ patience: Double) -> String {
    let lines = diaries.enumerated().map { thread, entries in
      guard case .resolving(let wanted)? = entries.last else {
        return "  thread \(thread) " + (entries.isEmpty ? "is done or between two steps" : "is in \(path(entries))")
      }
      let owner = diaries.indices.first { $0 != thread && diaries[$0].contains(.creating(wanted)) }
      let reason = owner.map { "waits for thread \($0), which creates it" } ?? "waits, and nobody creates it"
      return "  thread \(thread) \(path(entries)): \(reason)"
    }
    return "no thread has taken a step for \(patience.fixed(1)) s\n" + lines.joined(separator: "\n")
  }

  /// What a thread does, from the outermost.
  private static func path(_ entries: [StressDiary.Entry]) -> String {
    entries.map { entry in
      switch entry {
      case .resolving(let name): "resolves \(name)"
      case .creating(let name): "creates \(name)"
      }
    }.joined(separator: ", ")
  }
}
