/// The comparison of two runs, cell by cell.
struct Comparison: Sendable {
  let cells: [CellComparison]
  /// A Boolean value that indicates whether the runs were made on the same machine with the same compiler.
  let isSameMachine: Bool
  let isDebug: Bool
  /// The cells that decide; one that the base does not have says nothing about the change.
  private var gated: [CellComparison] { cells.filter { $0.isGated && $0.verdict != .added } }
  var regressed: [CellComparison] { cells.filter { [.slower, .heavier].contains($0.verdict) } }
  /// The missing cells, gated or not, and the gated ones that are measured differently or whose control has moved.
  var incomparable: [CellComparison] {
    cells.filter { $0.verdict == .missing || $0.isGated && [.changed, .moved].contains($0.verdict) }
  }
  /// The cells that may have become slower by the threshold, as far as the launches tell.
  var undecided: [CellComparison] { gated.filter { $0.verdict == .inconclusive } }

  /// The changes of the cells that decide, in numbers.
  var summary: Summary {
    Summary(
      cells: cells.filter { $0.isGated || $0.verdict == .heavier }
        .map { ($0.name, [.changed, .moved].contains($0.verdict) ? nil : $0.change, $0.verdict.rawValue) },
      words: CellComparison.Verdict.allCases.map(\.rawValue), noun: "gated cell", format: { Summary.percent($0) })
  }

  var conclusion: String {
    let advisory = isSameMachine ? "" : "Advisory, because machines or compilers differ: "
    return (isDebug ? Build.debugWarning : "") + advisory + judgment + (regressed.isEmpty ? ": " : "; ") + summary.text
  }

  private var judgment: String {
    if !regressed.isEmpty {
      let slower = regressed.filter { $0.verdict == .slower }
      let (cause, cells) = slower.isEmpty ? ("Needs more memory", regressed) : ("Slower", slower)
      return "\(cause): \(names(Array(cells.prefix(3))))\(cells.count > 3 ? ", …" : "")"
    }
    if !incomparable.isEmpty { return "Not comparable" }
    return !undecided.isEmpty || gated.isEmpty || !isSameMachine ? "No regression proved" : "Not slower"
  }

  private func names(_ cells: [CellComparison]) -> String { cells.map(\.name).joined(separator: ", ") }

  /// Returns the failure that the process ends with; nil if all is well; if strict, a lack of proof is a failure.
  func failure(isStrict: Bool) -> CommandFailure? {
    if cells.allSatisfy({ [.added, .missing].contains($0.verdict) }) {
      return CommandFailure(.badData, "Nothing was compared: no benchmark has the same number of threads in both runs")
    }
    if isSameMachine, !regressed.isEmpty {
      let parts = [(CellComparison.Verdict.slower, "Slower than before"), (.heavier, "Needs more memory")]
        .map { verdict, what in (what, names(regressed.filter { $0.verdict == verdict })) }
      return CommandFailure(
        .regression, parts.filter { !$1.isEmpty }.map { "\($0): \($1)" }.joined(separator: "; "))
    }
    if !incomparable.isEmpty { return CommandFailure(.incomparable, "Not comparable: \(names(incomparable))") }
    if isSameMachine, !undecided.isEmpty, gated.allSatisfy({ $0.probability == nil }) {
      let enough = (1...).first { RankTest.smallestProbability($0, $0) * Double(gated.count) < RankTest.significance }
      return CommandFailure(.unproved, "Too few launches to find a cell slower: use --launches \(enough!) in both")
    }
    if isStrict, !isSameMachine { return CommandFailure(.unproved, "Nothing is proved across machines or compilers") }
    if isStrict, gated.isEmpty || !undecided.isEmpty {
      return CommandFailure(.unproved, "Could not tell: \(gated.isEmpty ? "nothing is gated" : names(undecided))")
    }
    return nil
  }
}

extension Comparison {
  init(base: [ResultRow], head: [ResultRow], threshold: Double) {
    let label = CellKey.labels(of: (base + head).map(\.key))
    let (old, new) = (ResultGroup.groups(of: base), ResultGroup.groups(of: head))
    let before = Dictionary(uniqueKeysWithValues: old.map { ($0.key, $0) })
    let after = Dictionary(uniqueKeysWithValues: new.map { ($0.key, $0) })
    let pairs = (new + old).map(\.key).uniqued.map { key in
      CellPair(key: key, label: label(key), base: before[key], head: after[key], threshold: threshold)
    }
    // Only the gated cells decide, so only they share the risk of a false alarm.
    let gated = pairs.indices.filter { pairs[$0].isGated }
    let times = RankTest.corrected(gated.map { (pairs[$0].slowdown, pairs[$0].smallestProbability) })
    let controls = RankTest.corrected(pairs.map { (min(1, 2 * $0.controlShift), 2 * $0.smallestProbability) })
    let probabilities = Dictionary(uniqueKeysWithValues: zip(gated, times))
    let isSameMachine = Set((base + head).map(\.hostHash)).count == 1
    self.init(
      cells: pairs.indices.map { index in
        pairs[index].comparison(
          probability: probabilities[index] ?? nil,  // on another machine, a control differs by nature
          controlHasMoved: isSameMachine && (controls[index] ?? 1) < RankTest.significance)
      },
      isSameMachine: isSameMachine, isDebug: (base + head).contains { $0.status == .debug })
  }
}
