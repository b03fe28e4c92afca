/// The history of one round of the asynchronous model test.
///
/// A moment is a number of one clock: what has ended at a lower moment has happened before.
struct AsyncHistory {
  /// An instance, without holding it.
  final class Record: Sendable {
    let entry: AsyncEntry
    let serial: Int

    /// The container that it was created for.
    let creator: Int

    /// The moment of the request for which it was then created.
    let begin: Int
    let parts: [Record]

    init(_ entry: AsyncEntry, serial: Int, creator: Int, begin: Int, parts: [Record]) {
      (self.entry, self.serial, self.creator, self.begin, self.parts) = (entry, serial, creator, begin, parts)
    }

    /// The instance and everything that it is made of.
    var nodes: [Record] {
      var (found, seen, open): ([Record], Set<Int>, [Record]) = ([], [], [self])
      while let next = open.popLast() {
        guard seen.insert(next.serial).inserted else { continue }
        found.append(next)
        open += next.parts
      }
      return found
    }
  }

  /// An instance that somebody got.
  struct Answer {
    let container: Int
    let record: Record
    let begin: Int
    let end: Int

    /// A Boolean value that indicates whether it was asked for outside of all factories.
    let isOutermost: Bool
  }

  /// A request that was told that nothing is registered.
  struct Miss {
    let container: Int
    let key: Int
    let begin: Int
    let end: Int
  }

  struct Change {
    let change: AsyncChange
    let begin: Int
    let end: Int
  }

  /// One run of a factory; the end is nil if it did not return an instance.
  struct Run {
    let entry: AsyncEntry
    let container: Int

    /// The moment of the request that started it.
    let asked: Int
    let begin: Int
    var end = Int.max
    var serial: Int?
  }

  var answers: [Answer] = []
  var misses: [Miss] = []
  var changes: [Change] = []
  var runs: [Int: Run] = [:]

  /// When somebody was canceled.
  var cancellations: [Int] = []

  /// What was wrong at once.
  var faults: [Fault] = []

  /// Other things that people may want to know.
  var notes: [(moment: Int, text: String)] = []

  /// Something that cannot have happened, and when.
  struct Fault {
    let text: String
    let moment: Int
  }
}

extension AsyncHistory.Answer {
  var entry: AsyncEntry { record.entry }
}

extension AsyncHistory {
  /// What has happened, in order.
  var log: [(moment: Int, text: String)] {
    var log = notes
    log += answers.map {
      let parts = $0.record.parts.map { "\($0.serial)" }.joined(separator: ", ")
      return (
        $0.begin,
        "\($0.isOutermost ? "ask" : "part") container \($0.container) key \($0.entry.key): instance \($0.record.serial) "
          + "of \($0.entry.number), for container \($0.record.creator), made of [\(parts)] at \($0.end)"
      )
    }
    log += misses.map { ($0.begin, "container \($0.container) has no key \($0.key) at \($0.end)") }
    log += changes.map { ($0.begin, "\($0.change) at \($0.end)") }
    log += runs.values.map {
      ($0.begin, "run \($0.entry.number) for container \($0.container)" + ($0.end == .max ? "" : " ends at \($0.end)"))
    }
    log += cancellations.map { ($0, "cancel") }
    return log.sorted { $0.moment < $1.moment }
  }
}
