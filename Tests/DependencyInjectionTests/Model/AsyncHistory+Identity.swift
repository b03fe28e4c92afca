// Which instances must be the same, and which must not.

extension AsyncHistory {
  /// Guarantee 1: two who ask for a kept instance get the same, if it belongs to the same container for both and nothing
  /// has changed that either sees since anything of it was asked for.
  func secondInstances(_ script: AsyncScript) -> [Fault] {
    var faults: [Fault] = []
    let kept = answers.filter {
      $0.entry.isKept && $0.container >= 0 && ($0.entry.life != .weak || script.holdsInstances)
    }
    for (_, answers) in Dictionary(grouping: kept, by: \.entry.number) {
      // One answer for each container and instance is enough: that with the shortest span.
      var spans: [Pair: Span] = [:]
      for answer in answers {
        let nodes = answer.record.nodes
        if nodes.contains(where: \.entry.hasStrays) { continue }
        let begin = min(answer.begin, nodes.map(\.begin).min()!)
        let span = Span(answer: answer, begin: begin, home: home(answer, script))
        let pair = Pair(container: answer.container, serial: answer.record.serial)
        if answer.end < spans[pair]?.answer.end ?? .max { spans[pair] = span }
      }
      let all = Array(spans.values)
      for (index, one) in all.enumerated() {
        for other in all[..<index] where one.answer.record !== other.answer.record && one.home == other.home {
          // What a `deinit` resolves in the middle of a creation counts for that, and nobody knows when it runs.
          if one.answer.container != other.answer.container, !script.holdsInstances { continue }
          if isChanged(from: one, to: other, script) { continue }
          let later = one.answer.end > other.answer.end ? one.answer : other.answer
          let earlier = one.answer.end > other.answer.end ? other.answer : one.answer
          faults.append(
            Fault(
              text: "\(describe(later)), but before \(describe(earlier)), and nothing has changed", moment: later.end))
        }
      }
    }
    return faults
  }

  private struct Pair: Hashable { let container, serial: Int }

  private struct Span {
    let answer: Answer
    let begin: Int

    /// The container that keeps the instance.
    let home: Int
  }

  private func home(_ answer: Answer, _ script: AsyncScript) -> Int {
    let level = homeLevel(answer.record, script)
    return script.chain(answer.container).first { script.level($0) <= level }!
  }

  private func isChanged(from one: Span, to other: Span, _ script: AsyncScript) -> Bool {
    let (begin, end) = (min(one.begin, other.begin), max(one.answer.end, other.answer.end))
    let containers = Set(script.chain(one.answer.container) + script.chain(other.answer.container))
    return changes.contains { change in
      guard change.end > begin, change.begin < end else { return false }
      if case .resetScope = change.change { return true }
      return containers.contains(change.change.container)
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

  /// An instance and its parts, as far as they were certainly created for the same outermost resolve.
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
