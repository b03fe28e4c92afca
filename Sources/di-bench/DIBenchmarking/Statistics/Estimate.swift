/// The median of several launches, and the interval that contains it with a probability of at least 95 %.
struct Estimate: Equatable {
  var median: Double
  /// Nil for fewer than six launches, where no interval is that certain.
  var interval: ClosedRange<Double>?

  /// Estimates from one value for each launch; nil if there is none.
  ///
  /// The ends are two of the values: the number of values below the true median is like that of heads in coin tosses.
  init?(_ values: [Double]) {
    guard let median = values.median else { return nil }
    self.median = median
    let sorted = values.sorted()
    var (choices, tail, rank) = (1.0, 1.0, 0)
    // A file may have more launches than a Double has powers of two.
    while rank < sorted.count / 2, tail * 2 <= 0.05 * Double(sign: .plus, exponent: sorted.count, significand: 1) {
      rank += 1
      choices = choices * Double(sorted.count - rank + 1) / Double(rank)
      tail += choices
    }
    if rank > 0 { interval = sorted[rank - 1]...sorted[sorted.count - rank] }
  }

  /// The ends of the interval, or the median where there is none.
  var lower: Double { interval?.lowerBound ?? median }
  var upper: Double { interval?.upperBound ?? median }
  /// Half the width of the interval, as a part of the median; nil if there is no interval.
  var margin: Double? { interval.map { ($0.upperBound - $0.lowerBound) / 2 / median } }
}

extension Collection<Double> {
  /// The middle value, or the mean of the two in the middle; nil if there is none.
  var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The median distance from the median: a measure of spread that a few disturbed samples do not change.
  var medianDeviation: Double? {
    guard let median else { return nil }
    return map { abs($0 - median) }.median
  }
}
