/// What one would write without a container: the floor under everything else.
struct DirectProvider: Provider {
  private static let theService: any Service = ServiceImpl(launchArguments: CommandLine.arguments.count)

  var registrations: Int? { nil }

  // Not inlined, because a container's caller cannot see through it either: the result is retained for the caller, and
  // instances are on the heap. The protocols are not limited to classes: a plain reference the optimizer would return
  // without retaining it, whatever stands here.

  @inline(never)
  func service() -> any Service { Self.theService }

  @inline(never)
  func item() -> any Item { ItemImpl() }

  @inline(never)
  func labelled(id: Int, name: String) -> any Labelled { LabelledImpl(id: id, name: name) }

  @inline(never)
  func chain() -> Chain.Last {
    let fourth = Chain.Link4(Chain.Link3(Chain.Link2(Chain.Link1(Chain.End()))))
    return Chain.Last(Chain.Link9(Chain.Link8(Chain.Link7(Chain.Link6(Chain.Link5(fourth))))))
  }
}
