/// The one statistical procedure: the order of two sets of launches, and what follows from it.
enum RankTest {
  /// The probability below which an order counts as more than chance.
  static let significance = 0.05

  /// The probability of an order in which the second set is this far above the first, or further, if their shift is
  /// zero: Mann–Whitney, one-sided.
  ///
  /// Exact, even with ties: counts the choices of as many values by their sums of ranks.
  static func probability(_ first: [Double], below second: [Double]) -> Double {
    guard !first.isEmpty, !second.isEmpty else { return 1 }
    let all = second + first
    // Twice the rank, which is a whole number even where equal values share the mean of their ranks.
    let ranks = all.map { value in all.count { $0 < value } * 2 + all.count { $0 == value } + 1 }
    let sums = sums(choosing: second.count, of: ranks)
    return sums[ranks.prefix(second.count).reduce(0, +)...].reduce(0, +) / sums.reduce(0, +)
  }

  /// Returns the numbers of ways to choose this many ranks, by their sums.
  private static func sums(choosing count: Int, of ranks: [Int]) -> [Double] {
    let most = ranks.sorted().suffix(count).reduce(0, +)
    var choices = [[Double]](repeating: [Double](repeating: 0, count: most + 1), count: count + 1)
    choices[0][0] = 1
    for rank in ranks {
      for size in stride(from: count, to: 0, by: -1) {
        // A loop over a range costs a debug build, in which tests run, ten times as much.
        var (sum, smaller) = (rank, choices[size - 1])
        while sum <= most {
          choices[size][sum] += smaller[sum - rank]
          sum += 1
        }
      }
    }
    return choices[count]
  }

  /// The probability of the most uneven order possible.
  static func smallestProbability(_ first: Int, _ second: Int) -> Double {
    guard first > 0, second > 0 else { return 1 }
    return (1...second).reduce(1.0) { $0 * Double($1) / Double(first + $1) }
  }

  /// The shift of the second set above the first: Hodges–Lehmann, the median of all differences; nil if one is empty.
  static func shift(_ first: [Double], _ second: [Double]) -> Double? {
    second.flatMap { value in first.map { value - $0 } }.median
  }

  /// The interval that contains the shift with a probability of at least 95 %, from the same differences.
  ///
  /// Nil for fewer than four launches of each, where not even the extremes are that certain.
  static func interval(_ first: [Double], _ second: [Double]) -> ClosedRange<Double>? {
    guard min(first.count, second.count) > 3 else { return nil }
    let differences = second.flatMap { value in first.map { value - $0 } }.sorted()
    // The numbers of orders by how many pairs are the wrong way around: none in the order with the smallest sum.
    let counts = sums(choosing: second.count, of: Array(1...first.count + second.count)).drop { $0 == 0 }
    let limit = significance / 2 * counts.reduce(0, +)
    var tail = 0.0
    let rank = counts.prefix { count in
      tail += count
      return tail <= limit
    }.count
    return rank > 0 ? differences[rank - 1]...differences[differences.count - rank] : nil
  }

  /// Probabilities, corrected for the number of questions: Holm; nil for what cannot reach significance.
  ///
  /// Those are left out, as in Tarone's method: the family is the first of size k of which no more than k could still
  /// be significant if it were divided by k.
  static func corrected(_ questions: [(probability: Double, smallest: Double)]) -> [Double?] {
    var family: [Int] = []
    for size in stride(from: 1, through: questions.count, by: 1) {
      family = questions.indices.filter { questions[$0].smallest * Double(size) < significance }
      if family.count <= size { break }
    }
    var corrected = [Double?](repeating: nil, count: questions.count)
    var largest = 0.0
    for (place, index) in family.sorted(by: { questions[$0].probability < questions[$1].probability }).enumerated() {
      largest = max(largest, min(1, questions[index].probability * Double(family.count - place)))
      corrected[index] = largest
    }
    return corrected
  }
}
