// What must hold, however the tasks are interleaved. Each check says which of the guarantees of `AsyncModelTests` it is.

extension AsyncHistory {
  /// The first thing that no order of the operations explains.
  func fault(of script: AsyncScript) -> Fault? {
    let registered = AsyncRegistered(self, script)
    var faults = faults
    for answer in answers {
      let text = misplacement(answer, script) ?? registered.staleAnswer(answer)
      if let text { faults.append(Fault(text: "\(describe(answer)): \(text)", moment: answer.end)) }
    }
    for miss in misses where !registered.mayBeMissing(miss) {
      let text = "container \(miss.container) has no key \(miss.key), although it is registered"
      faults.append(Fault(text: text, moment: miss.end))
    }
    faults += strangeRuns(script) + droppedAnswers(script) + secondInstances(script) + sharedNews() + wrongGraphs()
    faults += overlappingRuns(script)
    return faults.min { $0.moment < $1.moment }
  }

  func describe(_ answer: Answer) -> String {
    "container \(answer.container) got instance \(answer.record.serial) of number \(answer.entry.number) for key "
      + "\(answer.entry.key) at \(answer.end)"
  }

  // MARK: Whose an instance is

  /// Guarantees 2 and 3: an instance, each of its parts and each of their parts are from where they should be.
  private func misplacement(_ answer: Answer, _ script: AsyncScript) -> String? {
    if let text = misplacement(of: answer.record, askedFrom: answer.container, script) { return "which \(text)" }
    for node in answer.record.nodes {
      for part in node.parts {
        guard let text = misplacement(of: part, askedFrom: node.creator, script) else { continue }
        let whole = "instance \(node.serial) of number \(node.entry.number), for container \(node.creator)"
        return "in which \(whole), is made of instance \(part.serial) of number \(part.entry.number), which \(text)"
      }
    }
    return nil
  }

  /// Why a container cannot have got an instance.
  private func misplacement(of record: Record, askedFrom container: Int, _ script: AsyncScript) -> String? {
    let (entry, chain) = (record.entry, script.chain(container))
    guard chain.contains(entry.container) else { return "is registered in container \(entry.container)" }
    let home = entry.home(askedFrom: container)
    if record.creator != home { return "was created for container \(record.creator), and not for container \(home)" }
    // It has always overridden the key, or a container in between has.
    let nearest = chain.first { script.stableKeys[$0].contains(entry.key) }
    guard let nearest, script.level(entry.container) < script.level(nearest) else { return nil }
    return "container \(nearest) overrides"
  }

  /// Guarantee 2: a factory runs for the container that registers it, or for one that sees it and asks.
  private func strangeRuns(_ script: AsyncScript) -> [Fault] {
    runs.values.compactMap { run in
      // None is left of what resolves in a `deinit` at the end.
      if run.container < 0 { return nil }
      let isRight =
        run.entry.home(askedFrom: run.container) == run.container
        && script.chain(run.container).contains(run.entry.container)
      if isRight { return nil }
      let text =
        "the factory of number \(run.entry.number), of container \(run.entry.container), runs for container "
        + "\(run.container)"
      return Fault(text: text, moment: run.begin)
    }
  }

  // MARK: Once

  /// Guarantee 5: a factory whose instance is kept does not run twice at the same time for one container, unless it was
  /// canceled or its registration changed.
  private func overlappingRuns(_ script: AsyncScript) -> [Fault] {
    let firstCancellation = cancellations.min() ?? .max
    var faults: [Fault] = []
    let kept = runs.values.filter(\.entry.isKept)
    for (place, runs) in Dictionary(grouping: kept, by: { Place($0.entry, $0.container) }) {
      let sorted = runs.sorted { $0.begin < $1.begin }
      let dropping = changes.filter { mayDrop($0.change, script.entries[place.entry], keptBy: place.home, script) }
      for (one, other) in zip(sorted, sorted.dropFirst()) where other.serial != nil && one.serial != nil {
        guard one.end > other.begin, firstCancellation > other.begin else { continue }
        if dropping.contains(where: { $0.end > one.asked && $0.begin < other.begin }) { continue }
        let text = "number \(place.entry) runs at \(one.begin) and at \(other.begin) at the same time"
        faults.append(Fault(text: "\(text), for container \(place.home)", moment: other.end))
      }
    }
    return faults
  }

  /// A registration, and the container that keeps its instance.
  struct Place: Hashable {
    let entry: Int
    let home: Int

    init(_ entry: AsyncEntry, _ home: Int) { (self.entry, self.home) = (entry.number, home) }
  }

  /// Returns whether a change drops the instance of a registration that a container keeps, if it has one.
  ///
  /// The same registration again changes nothing.
  private func drops(
    _ change: AsyncChange, _ entry: AsyncEntry, keptBy home: Int, _ script: AsyncScript
  ) -> Bool {
    switch change {
    case .register(let other):
      other.container == entry.container && other.key == entry.key && other.number != entry.number
        && entry.life != .perContainer
    case .unregister(let container, let key):
      container == entry.container && key == entry.key && entry.life != .perContainer
    case .reset(let container): container == home
    // It ends in the ancestors, too.
    case .resetScope(let container): entry.life == .scoped && script.chain(container).contains(home)
    case .resetOwn(let container): entry.life == .perContainer && container == home
    }
  }

  /// Returns whether a change may be the reason for another instance.
  ///
  /// What a container has asked for may be another one once the registration of an ancestor has come back.
  func mayDrop(_ change: AsyncChange, _ entry: AsyncEntry, keptBy home: Int, _ script: AsyncScript) -> Bool {
    if drops(change, entry, keptBy: home, script) { return true }
    guard entry.life == .perContainer, change.key == entry.key else { return false }
    return script.chain(home).contains(change.container)
  }

  /// Guarantee 1: an instance that was dropped is not handed out again.
  private func droppedAnswers(_ script: AsyncScript) -> [Fault] {
    var firstEnds: [Int: Int] = [:]
    for answer in answers {
      firstEnds[answer.record.serial] = min(firstEnds[answer.record.serial, default: .max], answer.end)
    }
    var faults: [Fault] = []
    for answer in answers where answer.entry.isKept {
      let drop = changes.first { change in
        change.begin > firstEnds[answer.record.serial]! && change.end < answer.begin
          && drops(change.change, answer.entry, keptBy: answer.record.creator, script)
      }
      if let drop {
        faults.append(
          Fault(text: "\(describe(answer)), which was dropped at \(drop.begin) by \(drop.change)", moment: answer.end))
      }
    }
    return faults
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

  /// Returns whether a container may have had a registration for a key at some moment, or none.
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
