/// What several launches say about a value.
struct Estimate: Equatable, Codable {
  /// The median over the launches.
  var median: Double

  /// The ends of the interval in which the value is with a probability of 95 %; with one launch, the median.
  var lower: Double
  var upper: Double

  /// How many launches there were.
  let launches: Int

  /// Estimates from one value for each launch; nil if there is none.
  init?(_ values: [Double]) {
    guard let median = values.median else { return nil }
    self.median = median
    (lower, upper) = Bootstrap.interval { generator in Bootstrap.resample(values, using: &generator).median ?? median }
    launches = values.count
  }

  /// Estimates by how much the median of one set of launches is above that of another; nil if one is empty.
  init?(from base: [Double], to head: [Double]) {
    guard let before = base.median, let after = head.median else { return nil }
    median = after - before
    (lower, upper) = Bootstrap.interval { generator in
      let after = Bootstrap.resample(head, using: &generator).median ?? after
      return after - (Bootstrap.resample(base, using: &generator).median ?? before)
    }
    launches = min(base.count, head.count)
  }

  /// The same through a function that never falls.
  func map(_ transform: (Double) -> Double) -> Estimate {
    var result = self
    result.median = transform(median)
    result.lower = transform(lower)
    result.upper = transform(upper)
    return result
  }

  /// Half the width of the interval, as a part of the median.
  var margin: Double { (upper - lower) / 2 / median }
}

/// Finds out how sure an estimate is by drawing from what it was made from, again and again.
enum Bootstrap {
  /// How often.
  static let draws = 2000

  /// The ends of the 95 % that are in the middle of the values that a closure returns.
  ///
  /// The closure makes the estimate from values drawn with the generator, which is the same for everybody: the same file
  /// has the same intervals.
  static func interval(_ draw: (inout RandomGenerator) -> Double) -> (Double, Double) {
    var generator = RandomGenerator(seed: 95)
    let values = (0..<draws).map { _ in draw(&generator) }.sorted()
    return (values[draws / 40], values[draws - 1 - draws / 40])
  }

  /// As many values, each of which may come several times or not at all.
  static func resample(_ values: [Double], using generator: inout RandomGenerator) -> [Double] {
    values.map { _ in values[Int(generator.next() % UInt64(values.count))] }
  }
}
