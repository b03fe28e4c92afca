/// Finds what somebody who mistyped a name probably meant.
enum Suggestion {
  /// The nearest of the candidates, or nil if none is near.
  static func nearest(to name: String, in candidates: [String]) -> String? {
    let ranked = candidates.map { (name: $0, distance: distance(name, $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= (max(name.count, best.name.count) + 2) / 3 ? best.name : nil
  }

  /// The end of an error message that offers the nearest candidate; empty if there is none.
  static func question(for name: String, in candidates: [String]) -> String {
    nearest(to: name, in: candidates).map { ". Did you mean '\($0)'?" } ?? ""
  }

  /// Returns how many insertions, deletions, replacements and swaps of neighbors lead from one string to the other.
  static func distance(_ first: String, _ second: String) -> Int {
    let from = Array(first)
    let to = Array(second)
    var rows = [[Int]](repeating: [Int](repeating: 0, count: to.count + 1), count: from.count + 1)
    for row in 0...from.count { rows[row][0] = row }
    for column in 0...to.count { rows[0][column] = column }
    for row in from.indices.map({ $0 + 1 }) {
      for column in to.indices.map({ $0 + 1 }) {
        let isSame = from[row - 1] == to[column - 1]
        var best = min(
          rows[row - 1][column] + 1, rows[row][column - 1] + 1, rows[row - 1][column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, from[row - 1] == to[column - 2], from[row - 2] == to[column - 1] {
          best = min(best, rows[row - 2][column - 2] + 1)
        }
        rows[row][column] = best
      }
    }
    return rows[from.count][to.count]
  }
}
