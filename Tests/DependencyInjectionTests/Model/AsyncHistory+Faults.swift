// What must hold, however the tasks are interleaved. Each check says which of the guarantees of `AsyncModelTests` it is.

extension AsyncHistory {
  /// The first thing that no order of the operations explains.
  func fault(of script: AsyncScript) -> Fault? {
    let registered = AsyncRegistered(self, script)
    var faults = faults
    for answer in answers {
      let text =
        foreignPart(answer, script) ?? ignoredOverride(answer, script) ?? registered.staleAnswer(answer)
      if let text { faults.append(Fault(text: "\(describe(answer)): \(text)", moment: answer.end)) }
    }
    for miss in misses where !registered.mayBeMissing(miss) {
      let text = "container \(miss.container) has no key \(miss.key), although it is registered"
      faults.append(Fault(text: text, moment: miss.end))
    }
    faults += droppedAnswers(script) + secondInstances(script) + sharedNews() + wrongGraphs() + overlappingRuns(script)
    return faults.min { $0.moment < $1.moment }
  }

  func describe(_ answer: Answer) -> String {
    "container \(answer.container) got instance \(answer.record.serial) of number \(answer.entry.number) for key "
      + "\(answer.entry.key) at \(answer.end)"
  }

  // MARK: Overrides

  /// Guarantee 2: no part comes from a container that the requester does not see.
  private func foreignPart(_ answer: Answer, _ script: AsyncScript) -> String? {
    let chain = script.chain(answer.container)
    let foreign = answer.record.nodes.first { !chain.contains($0.entry.container) }
    return foreign.map {
      "made of instance \($0.serial) of number \($0.entry.number), which is registered in container \($0.entry.container)"
    }
  }

  /// Guarantee 3: each part is from an override that the requester has always had, or from one that is nearer.
  private func ignoredOverride(_ answer: Answer, _ script: AsyncScript) -> String? {
    for node in answer.record.nodes {
      let nearest = script.chain(answer.container).first { script.stableKeys[$0].contains(node.entry.key) }
      guard let nearest, script.level(node.entry.container) < script.level(nearest) else { continue }
      return "made of instance \(node.serial) of number \(node.entry.number), which container \(nearest) overrides"
    }
    return nil
  }

  // MARK: Once

  /// Guarantee 5: a factory whose instance is kept does not run twice at the same time, unless it was cancelled or its
  /// registration changed.
  private func overlappingRuns(_ script: AsyncScript) -> [Fault] {
    let firstCancellation = cancellations.min() ?? .max
    var faults: [Fault] = []
    for (number, runs) in Dictionary(grouping: runs.values.filter(\.entry.isKept), by: \.entry.number) {
      let sorted = runs.sorted { $0.begin < $1.begin }
      let dropping = changes.filter { drops($0.change, script.entries[number], script) }
      for (one, other) in zip(sorted, sorted.dropFirst()) where other.serial != nil && one.serial != nil {
        guard one.end > other.begin, firstCancellation > other.begin else { continue }
        if dropping.contains(where: { $0.end > one.asked && $0.begin < other.begin }) { continue }
        faults.append(
          Fault(text: "number \(number) runs at \(one.begin) and at \(other.begin) at the same time", moment: other.end)
        )
      }
    }
    return faults
  }

  /// Whether a change concerns a registration in its own container.
  private func drops(_ change: AsyncChange, _ entry: AsyncEntry, _ script: AsyncScript) -> Bool {
    switch change {
    case .register, .unregister: change.container == entry.container && change.key == entry.key
    case .reset: change.container == entry.container
    case .resetScope: entry.life == .scoped
    }
  }

  /// Guarantee 1: an instance that was dropped is not handed out again.
  private func droppedAnswers(_ script: AsyncScript) -> [Fault] {
    var firstEnds: [Int: Int] = [:]
    for answer in answers {
      firstEnds[answer.record.serial] = min(firstEnds[answer.record.serial, default: .max], answer.end)
    }
    var faults: [Fault] = []
    for answer in answers where answer.entry.isKept {
      let (chain, level) = (script.chain(answer.container), homeLevel(answer.record, script))
      let drop = changes.first { change in
        guard change.begin > firstEnds[answer.record.serial]!, change.end < answer.begin else { return false }
        let container = change.change.container
        switch change.change {
        case .register, .unregister: return container == answer.entry.container && change.change.key == answer.entry.key
        // It is kept in this container, or below without belonging to a registration there.
        case .reset:
          let depth = script.level(container)
          return chain.contains(container) && level >= depth && script.level(answer.entry.container) <= depth
        case .resetScope:
          let isRelated = chain.contains(container) || script.chain(container).contains(answer.container)
          return answer.entry.life == .scoped && isRelated
        }
      }
      if let drop {
        faults.append(
          Fault(text: "\(describe(answer)), which was dropped at \(drop.begin) by \(drop.change)", moment: answer.end))
      }
    }
    return faults
  }

  /// How deep the container is that keeps an instance: the deepest that a part came from.
  func homeLevel(_ record: Record, _ script: AsyncScript) -> Int {
    record.nodes.map { script.level($0.entry.container) }.max()!
  }
}

/// When what was registered, from the changes of a history.
struct AsyncRegistered {
  private struct Place: Hashable { let container, key: Int }
  private typealias Write = (entry: Int?, begin: Int, end: Int)
  private var writes: [Place: [Write]] = [:]
  private let script: AsyncScript

  init(_ history: AsyncHistory, _ script: AsyncScript) {
    self.script = script
    for (container, entries) in script.beginnings.enumerated() {
      for key in AsyncEntry.keys {
        writes[Place(container: container, key: key)] = [(entries.first { $0.key == key }?.number, 0, 0)]
      }
    }
    for change in history.changes {
      guard let key = change.change.key else { continue }
      var entry: Int?
      if case .register(let registered) = change.change { entry = registered.number }
      writes[Place(container: change.change.container, key: key)]!.append((entry, change.begin, change.end))
    }
  }

  /// Whether a container may have had a registration for a key at some moment, or none.
  private func allows(_ entry: Int?, _ container: Int, _ key: Int, _ begin: Int, _ end: Int) -> Bool {
    let all = writes[Place(container: container, key: key)]!
    return all.contains { write in
      write.entry == entry && write.begin < end && !all.contains { $0.begin > write.end && $0.end < begin }
    }
  }

  /// Guarantee 4: what answers was the nearest registration at some moment of the call.
  func staleAnswer(_ answer: AsyncHistory.Answer) -> String? {
    let (entry, chain) = (answer.entry, script.chain(answer.container))
    if !allows(entry.number, entry.container, entry.key, answer.begin, answer.end) {
      return "which was registered at no moment of the call"
    }
    let nearer = chain.prefix { $0 != entry.container }
    guard let other = nearer.first(where: { !allows(nil, $0, entry.key, answer.begin, answer.end) }) else { return nil }
    return "although container \(other) has another registration"
  }

  /// Guarantee 4: what is missing was missing everywhere at some moment of the call.
  func mayBeMissing(_ miss: AsyncHistory.Miss) -> Bool {
    script.chain(miss.container).allSatisfy { allows(nil, $0, miss.key, miss.begin, miss.end) }
  }
}
