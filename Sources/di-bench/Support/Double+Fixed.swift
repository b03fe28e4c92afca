internal import Foundation

extension Double {
  /// The number with a fixed count of decimals, the same in every locale.
  func fixed(_ decimals: Int) -> String {
    String(format: "%.\(decimals)f", locale: Locale(identifier: "en_US_POSIX"), self)
  }

  /// The number with about three significant digits, for tables.
  var short: String {
    fixed(self >= 100 ? 0 : self >= 10 ? 1 : 2)
  }
}
