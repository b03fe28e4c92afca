internal import DependencyInjection

/// What an expectation is about.
struct Expected {
  /// What failures call it.
  let description: String

  private let isMeant: (ResolutionEvent) -> Bool

  /// A type, whatever name it is asked for with; or one of its names.
  init(_ type: Any.Type, named name: DependencyName? = nil) {
    description = "'\(displayName(type, name))'"
    isMeant = { $0.type == type && (name == nil || $0.name == name) }
  }

  /// A declared dependency, and none of the others of its type.
  init<Value>(_ dependency: Dependency<Value>) {
    description = "'\(displayName(Value.self))' (declared at \(dependency.location))"
    isMeant = { [key = dependency.key] in $0.key == key }
  }

  /// The resolves that count, in order.
  func among(_ resolutions: [ResolutionEvent]) -> [ResolutionEvent] { resolutions.filter(isMeant) }
}
