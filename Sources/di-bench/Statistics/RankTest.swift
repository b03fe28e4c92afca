/// Whether two sets of values differ, judged by their order alone.
enum RankTest {
  /// The probability of an order as uneven as this one or more, if there is no difference: Mann–Whitney, two-sided.
  ///
  /// Exact, also with ties: counts how many choices of as many values have which sum of ranks.
  ///
  /// - Complexity: O(n³ · m), which is nothing for launches.
  static func probability(_ first: [Double], _ second: [Double]) -> Double {
    let all = first + second
    guard !first.isEmpty, !second.isEmpty else { return 1 }
    // Twice the rank, which is a whole number also where equal values share the mean of their ranks.
    let ranks = all.map { value in all.count { $0 < value } * 2 + all.count { $0 == value } + 1 }
    let most = ranks.reduce(0, +)
    // How many choices of so many values have so large a sum.
    var choices = [[Double]](repeating: [Double](repeating: 0, count: most + 1), count: first.count + 1)
    choices[0][0] = 1
    for rank in ranks {
      for size in stride(from: first.count, to: 0, by: -1) {
        for sum in stride(from: most, through: rank, by: -1) { choices[size][sum] += choices[size - 1][sum - rank] }
      }
    }
    let expected = Double(most) * Double(first.count) / Double(all.count)
    let distance = abs(Double(ranks.prefix(first.count).reduce(0, +)) - expected)
    let total = choices[first.count].reduce(0, +)
    let uneven = choices[first.count].indices.reduce(0.0) { count, sum in
      abs(Double(sum) - expected) >= distance - 1e-9 ? count + choices[first.count][sum] : count
    }
    return uneven / total
  }

  /// The probabilities, corrected for the number of questions that were asked: Holm.
  static func holm(_ probabilities: [Double]) -> [Double] {
    var corrected = probabilities
    var largest = 0.0
    for (index, original) in probabilities.indices.sorted(by: { probabilities[$0] < probabilities[$1] }).enumerated() {
      largest = max(largest, min(1, probabilities[original] * Double(probabilities.count - index)))
      corrected[original] = largest
    }
    return corrected
  }
}
