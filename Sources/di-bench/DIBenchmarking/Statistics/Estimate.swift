internal import Foundation

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
    var (tail, rank) = (0.0, 0)
    while rank < sorted.count / 2 {
      // By logarithms, because a file may have more launches than a Double has powers of two.
      let choices = Self.logarithmOfChoices(rank, of: sorted.count)
      tail += exp(choices - Double(sorted.count) * log(2))
      if tail > 0.025 { break }
      rank += 1
    }
    if rank > 0 { interval = sorted[rank - 1]...sorted[sorted.count - rank] }
  }

  private static func logarithmOfChoices(_ count: Int, of all: Int) -> Double {
    lgamma(Double(all + 1)).0 - lgamma(Double(count + 1)).0 - lgamma(Double(all - count + 1)).0
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
