/// An expected number of times: a number, such as `2`, or a range of numbers, such as `1...`.
public protocol ExpectedTimes {
  /// A range of numbers.
  associatedtype Times: RangeExpression<Int>

  /// The expected numbers.
  var expectedTimes: Times { get }
}

extension Int: ExpectedTimes {
  /// Exactly this number.
  public var expectedTimes: ClosedRange<Int> { self...self }
}

extension ExpectedTimes where Self: RangeExpression<Int> {
  /// The numbers of the range.
  public var expectedTimes: Self { self }
}

extension ClosedRange: ExpectedTimes where Bound == Int {}
extension PartialRangeFrom: ExpectedTimes where Bound == Int {}
extension PartialRangeThrough: ExpectedTimes where Bound == Int {}
extension PartialRangeUpTo: ExpectedTimes where Bound == Int {}
extension Range: ExpectedTimes where Bound == Int {}
