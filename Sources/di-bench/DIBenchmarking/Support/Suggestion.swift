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

  /// Returns how many letters of one string would have to be replaced, removed or moved to get the other one.
  static func distance(_ first: String, _ second: String) -> Int {
    let difference = Array(second).difference(from: Array(first))
    return max(difference.insertions.count, difference.removals.count)
  }
}
