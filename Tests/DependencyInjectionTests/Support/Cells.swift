@testable internal import DependencyInjection

/// Returns the kind of a cell that has a value as its answer.
func answerKind<Value>(of value: Value) -> Cell.Kind {
  let cell = Cell(key: 8)
  let box = Box(value)
  cell.publish(Value.self, copying: box.memory)
  withExtendedLifetime(box) {}
  defer { cell.clear(.nothing).release() }
  return cell.loadKind()
}
