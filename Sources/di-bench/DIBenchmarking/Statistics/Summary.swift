internal import Foundation

/// The answer in one sentence: the geometric mean of ratios, how many cells have which verdict, and which moved most.
struct Summary {
  /// The cells that count: the name of each, its ratio if it has one, and its verdict.
  var cells: [(label: String, ratio: Double?, word: String)] = []
  let words: [String]
  let noun: String
  let format: (Double) -> String

  /// The geometric mean of the ratios; nil if there is none.
  var mean: Double? {
    let logarithms = cells.compactMap(\.ratio).map { log($0) }
    return logarithms.isEmpty ? nil : exp(logarithms.reduce(0, +) / Double(logarithms.count))
  }

  /// The sentence, without its beginning.
  var text: String {
    let counts = words.compactMap { word in
      let count = cells.count { $0.word == word }
      return count > 0 ? "\(count) \(word)" : nil
    }
    let moved = cells.compactMap { cell in cell.ratio.map { (cell.label, $0) } }.filter { format($0.1) != format(1) }
      .sorted { abs(log($0.1)) > abs(log($1.1)) }.prefix(3).map { "\($0.0) \(format($0.1))" }
    return [
      mean.map { "\(format($0)) in the geometric mean" },
      "of \(cells.count { $0.word != "added" }.counted(noun)), "
        + (counts.isEmpty ? "none measured" : counts.joined(separator: ", ")),
      moved.isEmpty ? nil : "furthest: \(moved.joined(separator: ", "))",
    ].compactMap { $0 }.joined(separator: "; ") + "."
  }

  static func percent(_ ratio: Double, _ decimals: Int = 1) -> String {
    let text = abs((ratio - 1) * 100).fixed(decimals)
    return (ratio < 1 && Double(text) != 0 ? "-" : "+") + text + " %"
  }
}
