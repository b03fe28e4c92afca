internal import ColdStartTypes
internal import DependencyInjection

// Registers a hundred types, resolves each once, and ends; it traps if anything is missing.

func register<Value: Part>(_: Value.Type) {
  DIContainer.register(Shared(Value()))
}

func resolve<Value: Part>(_: Value.Type) -> Int {
  DIContainer.resolve(Value.self).number
}

let parts = Parts.all
for part in parts { register(part) }
var sum = 0
for part in parts { sum += resolve(part) }
precondition(sum == Parts.checksum)
