extension Sequence {
  /// Returns the elements, sorted.
  ///
  /// Never specialized, because `sorted(by:)` is 4 KB of machine code for each element type, and only messages and
  /// graphs need it.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  func sortedUnspecialized(by areInOrder: (Element, Element) -> Bool) -> [Element] { sorted(by: areInOrder) }
}
