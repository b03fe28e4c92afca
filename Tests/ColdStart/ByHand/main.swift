internal import ColdStartTypes

// What the other program does, without the library: creates a hundred instances, keeps and uses them.

func create<Value: Part>(_: Value.Type) -> any Part {
  Value()
}

let parts = Parts.all
var instances: [any Part] = []
for part in parts { instances.append(create(part)) }
var sum = 0
for instance in instances { sum += instance.number }
precondition(sum == Parts.checksum)
