internal import Foundation

/// What a change did to one cell.
struct CellComparison: Sendable {
  enum Verdict: String, Codable, CaseIterable {
    case regressed, improved, unchanged, inconclusive, added, missing
  }

  let key: CellKey
  let label: String
  let verdict: Verdict

  /// Whether the verdict decides about the whole.
  let isGated: Bool

  /// The time after the change / the time before it, each as a ratio to the yardstick beside it; nil if one is missing.
  let change: Estimate?

  /// The probability of launches so different if nothing changed, corrected for the number of cells.
  let probability: Double?

  /// The median times of an operation.
  let baseNanoseconds: Double?
  let headNanoseconds: Double?
}

/// What a change did to all cells.
struct Comparison: Sendable {
  /// Up to which part more or less time is no change.
  let threshold: Double

  let cells: [CellComparison]

  /// What makes the comparison say less than it could; empty if nothing does.
  let advice: [String]

  /// Whether the runs were made on the same machine with the same compiler.
  let isSameMachine: Bool

  /// How probable an order of launches has to be, at most, for it to count.
  static let significance = 0.05

  /// Whether the change is to be stopped.
  var hasRegressed: Bool {
    isSameMachine && cells.contains { $0.isGated && $0.verdict == .regressed }
  }
}

extension Comparison {
  /// Compares the rows of two runs.
  ///
  /// A cell has regressed if two ways to look at its launches agree: the whole interval of the change is above the
  /// threshold, and the order of the launches is too uneven to be chance, for so many cells.
  init(base: [ResultRow], head: [ResultRow], threshold: Double) {
    let labels = CellKey.labels(of: (base + head).map { CellKey($0) })
    let before = ResultGroup.groups(of: base)
    let after = ResultGroup.groups(of: head)
    let find = { (key: CellKey, groups: [ResultGroup]) in groups.first { $0.key == key } }
    let keys = after.map(\.key) + before.map(\.key).filter { find($0, after) == nil }
    let pairs = keys.map { key in
      let (base, head) = (find(key, before), find(key, after))
      return Pair(
        key: key, base: base, head: head,
        ratios: base.flatMap { base in head.map { Self.ratios(base, $0) } } ?? ([], []))
    }
    // Only the gated cells decide, so only they have to share the risk of a false alarm.
    let gated = pairs.indices.filter { keys[$0].isGated && pairs[$0].isMeasured }
    let corrected = Dictionary(
      uniqueKeysWithValues: zip(gated, RankTest.holm(gated.map { pairs[$0].probability })))
    let cells = pairs.enumerated().map { index, pair in
      pair.comparison(
        label: labels[pair.key] ?? pair.key.scenario, threshold: threshold,
        probability: corrected[index] ?? pair.probability)
    }
    let isSameMachine = Self.machines(base + head).count == 1
    var advice: [String] = []
    if !isSameMachine {
      advice.append(
        "the runs were made on different machines or with different compilers: this is advisory, and nothing fails")
    }
    let launches = pairs.filter(\.isMeasured).map { min($0.ratios.0.count, $0.ratios.1.count) }.max() ?? 0
    if !gated.isEmpty, Self.smallestProbability(launches: launches) * Double(gated.count) > Self.significance {
      advice.append(
        "\(launches.counted("launch", "launches")) of each run \(launches == 1 ? "is" : "are") too few to be sure "
          + "about \(gated.count.counted("gated cell")): use more launches or a filter")
    }
    self.init(threshold: threshold, cells: cells, advice: advice, isSameMachine: isSameMachine)
  }

  private static func machines(_ rows: [ResultRow]) -> Set<[String]> {
    Set(rows.map { [$0.hostHash, $0.cpu, "\($0.cores)", $0.os, $0.swiftVersion] })
  }

  /// The probability of the most uneven order that there can be.
  private static func smallestProbability(launches: Int) -> Double {
    RankTest.probability((0..<launches).map { Double($0) }, (0..<launches).map { Double($0 + launches) })
  }

  /// The logarithms of the ratios to the yardstick that both runs have, one for each launch.
  private static func ratios(_ base: ResultGroup, _ head: ResultGroup) -> ([Double], [Double]) {
    guard base.yardstick == head.yardstick, base.subject == head.subject else { return ([], []) }
    return (base.logRatios(of: base.subject, to: base.yardstick), head.logRatios(of: head.subject, to: head.yardstick))
  }

  private struct Pair {
    let key: CellKey
    let base: ResultGroup?
    let head: ResultGroup?
    let ratios: ([Double], [Double])

    var isMeasured: Bool { !ratios.0.isEmpty && !ratios.1.isEmpty }

    var probability: Double { RankTest.probability(ratios.0, ratios.1) }

    func comparison(label: String, threshold: Double, probability: Double) -> CellComparison {
      let change = Estimate(from: ratios.0, to: ratios.1)
      return CellComparison(
        key: key, label: label, verdict: verdict(change, threshold, probability), isGated: key.isGated,
        change: change?.map(exp), probability: isMeasured ? probability : nil,
        baseNanoseconds: base.flatMap { $0.nanoseconds($0.subject)?.median },
        headNanoseconds: head.flatMap { $0.nanoseconds($0.subject)?.median })
    }

    private func verdict(
      _ change: Estimate?, _ threshold: Double, _ probability: Double
    ) -> CellComparison.Verdict {
      if base == nil { return .added }
      if head == nil { return .missing }
      // One launch has no interval.
      guard let change, change.launches > 1 else { return .inconclusive }
      let limit = log(1 + threshold)
      if change.lower > limit, probability < Comparison.significance { return .regressed }
      if change.upper < -limit, probability < Comparison.significance { return .improved }
      return change.lower > -limit && change.upper < limit ? .unchanged : .inconclusive
    }
  }
}
