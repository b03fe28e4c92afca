internal import Foundation

/// The comparison of one cell in two runs.
struct CellComparison: Sendable {
  enum Verdict: String, CaseIterable {
    case slower, heavier = "needs more memory", faster, unchanged, inconclusive = "undecided"
    case moved = "control moved", changed = "measured differently", added, missing
  }

  let key: CellKey
  let label: String
  let verdict: Verdict
  /// The slowdown that is allowed, as a fraction of the time; nil if the cell is not gated.
  let limit: Double?
  /// The time after the change / the time before it, each as a ratio to the control if there is one.
  let change: Double?
  let interval: ClosedRange<Double>?
  /// The control of both ratios.
  let control: String?
  /// The probability of launches this far above the threshold by chance, corrected for the number of cells.
  let probability: Double?
  /// The median times of an operation.
  let baseNanoseconds, headNanoseconds: Double?
  /// The differences in the columns that do not depend on the load.
  let notes: [String]
  var isGated: Bool { limit != nil }
  var name: String { "\(label) (\(key.threads))" }
}

/// A cell in two runs, before it is judged.
struct CellPair {
  let key: CellKey
  let label: String
  let base, head: ResultGroup?
  let threshold, byteThreshold: Double
  let isGated: Bool
  /// The implementation to compare with: code that stays the same and that is slowed by the same disturbances.
  private let control: String?
  /// The logarithms of the times, or of the ratios to the control, one for each launch.
  private let values: (base: [Double], head: [Double])

  init(key: CellKey, label: String, base: ResultGroup?, head: ResultGroup?, threshold: Double) {
    self.key = key
    self.label = label
    self.base = base
    self.head = head
    let gate = (base ?? head)?.gate ?? .none
    isGated = gate != .none
    byteThreshold = threshold
    self.threshold = gate == .coarse ? max(threshold, 0.5) : threshold
    guard let base, let head, base.subject == head.subject else {
      control = nil
      values = ([], [])
      return
    }
    control = Self.control(base, head)
    values = (base.logarithms(to: control), head.logarithms(to: control))
  }

  /// The reference whose ratio scatters least; none where each sample has a process of its own.
  ///
  /// Each run is centered by itself, so that the choice does not depend on how much they differ.
  private static func control(_ base: ResultGroup, _ head: ResultGroup) -> String? {
    if base.hasOwnProcess || head.hasOwnProcess { return nil }
    let spread = { (name: String) in
      [base, head].flatMap { group -> [Double] in
        let values = group.logarithms(to: name)
        return values.map { $0 - (values.median ?? 0) }
      }.medianDeviation ?? .infinity
    }
    return base.controls.filter { head.controls.contains($0) }.min { spread($0) < spread($1) }
  }

  var smallestProbability: Double { RankTest.smallestProbability(values.base.count, values.head.count) }
  /// The probability of launches this far above the threshold, if nothing became slower by more than that.
  var slowdown: Double { RankTest.probability(values.base.map { $0 + log(1 + threshold) }, below: values.head) }

  /// The probability that times of the control differ this much, if the control differs by no more than the threshold.
  var controlShift: Double {
    guard let control, let base, let head else { return 1 }
    let (before, after) = (base.logarithms(of: control), head.logarithms(of: control))
    let limit = log(1 + threshold)
    return min(
      RankTest.probability(before.map { $0 + limit }, below: after),
      RankTest.probability(after.map { $0 + limit }, below: before))
  }

  func comparison(probability: Double?, controlHasMoved: Bool) -> CellComparison {
    let interval = RankTest.interval(values.base, values.head)
    let exact = exactChanges
    let time = controlHasMoved ? .moved : Self.verdict(interval, log(1 + threshold), probability)
    let verdict: CellComparison.Verdict =
      if base == nil { .added } else if head == nil { .missing } else if base?.harness != head?.harness {
        .changed
      } else if exact.contains(where: \.isWorse), time != .slower { .heavier } else { time }
    return CellComparison(
      key: key, label: label, verdict: verdict, limit: isGated ? threshold : nil,
      change: RankTest.shift(values.base, values.head).map(exp),
      interval: interval.map { exp($0.lowerBound)...exp($0.upperBound) }, control: control, probability: probability,
      baseNanoseconds: base.flatMap { $0.nanoseconds($0.subject)?.median },
      headNanoseconds: head.flatMap { $0.nanoseconds($0.subject)?.median }, notes: exact.map(\.note))
  }

  private static func verdict(
    _ interval: ClosedRange<Double>?, _ limit: Double, _ probability: Double?
  ) -> CellComparison.Verdict {
    if let probability, probability < RankTest.significance { return .slower }
    guard let interval else { return .inconclusive }
    if interval.upperBound < -limit { return .faster }
    return interval.upperBound < limit ? .unchanged : .inconclusive
  }

  private var exactChanges: [(note: String, isWorse: Bool)] {
    guard let base, let head else { return [] }
    var changes: [(String, Bool)] = []
    let counts = (base.allocations, head.allocations)
    if let before = counts.0, let after = counts.1, abs(after - before) > 0.01 {
      changes.append(("allocations \(before.fixed(2)) → \(after.fixed(2))", after > before))
    } else if counts.0 != nil, counts.1 == nil {
      changes.append(("allocations are no longer counted", true))
    }
    let (before, after) = (base.bytes, head.bytes)
    if let median = before.median, let new = after.median, before.count > 3, after.count > 3,
      let most = before.max(), let least = after.min(), least > most, new - median > max(1, byteThreshold * abs(median))
    {
      changes.append(("bytes \(median.fixed(1)) → \(new.fixed(1))", true))
    }
    return changes
  }
}
