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
