// Which instances must be the same, and which must not.

extension AsyncHistory {
  /// Guarantee 1: two who ask for a kept instance get the same, if the same container keeps it for both, and nothing has
  /// dropped it since it was asked for first.
  func secondInstances(_ script: AsyncScript) -> [Fault] {
    var faults: [Fault] = []
    let kept = answers.filter {
      $0.entry.isKept && $0.container >= 0 && ($0.entry.life != .weak || script.holdsInstances)
    }
    for answers in Dictionary(grouping: kept, by: { Place($0.entry, $0.record.creator) }).values {
      // One answer for each instance is enough: the first one.
      var first: [Int: Answer] = [:]
      for answer in answers where answer.end < first[answer.record.serial]?.end ?? .max {
        first[answer.record.serial] = answer
      }
      let all = first.values.sorted { $0.end < $1.end }
      for (index, later) in all.enumerated() {
        for earlier in all[..<index] where !isDropped(earlier, later, script) {
          faults.append(
            Fault(
              text: "\(describe(later)), but before \(describe(earlier)), and nothing has changed", moment: later.end))
        }
      }
    }
    return faults
  }

  /// Returns whether a change may be the reason why two answers differ.
  private func isDropped(_ earlier: Answer, _ later: Answer, _ script: AsyncScript) -> Bool {
    let begin = min(earlier.record.begin, later.record.begin)
    return changes.contains { change in
      change.end > begin && change.begin < later.end
        && mayDrop(change.change, later.entry, keptBy: later.record.creator, script)
    }
  }

  /// Guarantee 6: nobody gets an instance of a `New` that somebody else has.
  func sharedNews() -> [Fault] {
    var seen: Set<Int> = []
    return answers.filter { $0.entry.life == .new && !seen.insert($0.record.serial).inserted }.map {
      Fault(text: "\(describe($0)), which is New and was handed out before", moment: $0.end)
    }
  }

  /// Guarantee 7: one graph has one instance of a `PerGraph`, and two graphs have different ones.
  func wrongGraphs() -> [Fault] {
    var faults: [Fault] = []
    var owners: [Int: Int] = [:]
    for (index, answer) in answers.enumerated() {
      var seen: [Int: Int] = [:]
      for part in graph(of: answer.record) where part.entry.life == .perGraph {
        let other = seen.updateValue(part.serial, forKey: part.entry.number) ?? part.serial
        if other != part.serial {
          let text = "has instances \(other) and \(part.serial) of number \(part.entry.number) in one graph"
          faults.append(Fault(text: "\(describe(answer)), which \(text)", moment: answer.end))
        }
        guard answer.isOutermost, !answer.entry.isKept else { continue }
        let owner = owners.updateValue(index, forKey: part.serial) ?? index
        if owner != index {
          let text =
            "which is in a graph with instance \(part.serial), and so is instance \(answers[owner].record.serial)"
          faults.append(Fault(text: "\(describe(answer)), \(text)", moment: answer.end))
        }
      }
    }
    return faults
  }

  /// An instance and its parts, as far as they were certainly created for the same outermost resolution.
  private func graph(of record: Record) -> [Record] {
    var (found, seen, open): ([Record], Set<Int>, [Record]) = ([], [], [record])
    while let next = open.popLast() {
      guard seen.insert(next.serial).inserted else { continue }
      found.append(next)
      open += next.parts.filter { !$0.entry.isKept }
    }
    return found
  }
}
