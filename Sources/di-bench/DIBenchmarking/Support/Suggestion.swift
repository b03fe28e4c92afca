/// Finds what somebody who mistyped a name probably meant.
enum Suggestion {
  /// The end of an error message that offers the nearest candidate; empty if none is near.
  static func question(for name: String, in candidates: [String]) -> String {
    guard let nearest = candidates.min(by: { distance(name, $0) < distance(name, $1) }) else { return "" }
    return distance(name, nearest) <= (max(name.count, nearest.count) + 2) / 3 ? ". Did you mean '\(nearest)'?" : ""
  }

  /// Returns how many letters of one string would have to be replaced, removed or moved to get the other one.
  static func distance(_ first: String, _ second: String) -> Int {
    let difference = Array(second).difference(from: Array(first))
    return max(difference.insertions.count, difference.removals.count)
  }
}
