@testable internal import DependencyInjection

/// Returns the kind of a cell that has a value as its answer.
func answerKind<Value>(of value: Value) -> Cell.Kind {
  let cell = Cell(key: 8, nil)
  cell.publish(Box(value))
  defer { cell.clear(.nothing) }
  return cell.loadKind()
}
