/// The value in an instance, which a prepaid bank lends to readers while they copy.
///
/// Sound as the bank is: a reader copies while it owns a reference, and gives it back afterwards.
struct BoxedValueSlot: ValueSlot, ~Copyable {
  static let name = "boxed"

  private let boxes: PrepaidSlot
  private let count = LiveCount()

  init(_ value: Pair) {
    boxes = PrepaidSlot(Specimen(in: count, value))
  }

  func read() -> Pair {
    let box = boxes.takeAddress()
    let value = Reference.pair(at: box)
    boxes.giveBack(box)
    return value
  }

  func replace(with value: Pair) {
    boxes.replace(with: Specimen(in: count, value))
  }

  /// How many boxes there are.
  var boxCount: Int { count.current }
}
