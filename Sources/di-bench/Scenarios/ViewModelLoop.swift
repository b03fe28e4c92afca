/// Resolves new instances, each of which resolves three that exist.
struct ViewModelLoop<Source: Provider>: Loop {
  private let provider: Source
  private let expected: ViewModelParts

  init(_ provider: Source) {
    self.provider = provider
    expected = ViewModelParts(
      service: provider.service().identity, boundService: provider.boundService().identity,
      store: provider.store().identity)
  }

  var registrations: Int? { provider.registrations }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    // The one before is kept, so that a new one is somewhere else.
    var previous = provider.viewModel()
    var wrong = 0
    for _ in 0..<operations {
      let model = provider.viewModel()
      if model.identity == previous.identity || model.parts != expected { wrong &+= 1 }
      previous = model
    }
    if wrong > 0 { throw .wrong(wrong, of: operations, "returned an old instance or one with other parts") }
  }
}
