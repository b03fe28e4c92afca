internal import Foundation

extension Double {
  /// The number with a fixed count of decimals, the same in every locale.
  package func fixed(_ decimals: Int) -> String {
    String(format: "%.\(decimals)f", locale: Locale(identifier: "en_US_POSIX"), self)
  }

  /// The number with about three significant digits, for tables.
  package var short: String { fixed(self >= 100 ? 0 : self >= 10 ? 1 : 2) }

  /// The number with four significant digits, for files.
  var significant: String {
    if self == rounded() { return fixed(0) }
    return fixed(min(15, max(0, 3 - Int(log10(magnitude).rounded(.down)))))
  }
}

extension Int {
  /// The number and what is counted: `1 launch`, `2 launches`.
  func counted(_ singular: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
  }
}
