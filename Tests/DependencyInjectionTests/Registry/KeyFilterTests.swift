@testable internal import DependencyInjection
internal import Testing

@Suite("Filters of keys")
struct KeyFilterTests {
  /// Keys of as many types and names as wanted.
  private func keys(_ count: Int) -> [Key] {
    (0..<count).map { Key($0.isMultiple(of: 2) ? Int.self : String.self, named: DependencyName("filtered \($0)")) }
  }

  @Test("A filter never misses a key")
  func contains() {
    let keys = keys(300)
    for count in [1, 2, 17, 300] {
      let filter = KeyFilter(keys.prefix(count))
      for key in keys.prefix(count) { #expect(filter.mayIntersect(KeyFilter([key]))) }
    }
  }

  @Test("A filter of few keys has hardly any other")
  func isSelective() {
    let keys = keys(300)
    let filter = KeyFilter(keys.prefix(4))
    let others = keys.dropFirst(4).count { filter.mayIntersect(KeyFilter([$0])) }
    // Four bits of 256 are set: about 5 of 296.
    #expect(others < 30)
    #expect(!KeyFilter().mayIntersect(.all))
    #expect(!filter.mayIntersect(KeyFilter()))
  }

  @Test("A union has the keys of both")
  func union() {
    let keys = keys(20)
    var union = KeyFilter(keys.prefix(10))
    union.formUnion(KeyFilter(keys.dropFirst(10)))
    for key in keys { #expect(union.mayIntersect(KeyFilter([key]))) }
  }

  @Test("A filter that is stored is loaded as it was")
  func stores() {
    let stored = AtomicKeyFilter()
    let filter = KeyFilter(keys(5))
    stored.store(filter)
    #expect(stored.load().bits == filter.bits)
  }
}
