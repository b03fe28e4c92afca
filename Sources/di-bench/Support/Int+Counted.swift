extension Int {
  /// The number and what is counted: `1 launch`, `2 launches`.
  func counted(_ singular: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
  }
}
