extension Dependency where repeat each Argument: Hashable & Sendable {
  /// Declares a dependency with one instance for each argument, or for each tuple of arguments:
  /// `Dependency<Page, String>(instancePerArgument: .shared) { resolve, id in Page(id: id) }`.
  ///
  /// Each instance lives as ``Shared`` and the others say. The declaration remembers the arguments as long as the process
  /// lives, so use it with a limited number of arguments: the first call with one takes time that is proportional to
  /// their number. An override answers all arguments, with the lifetime that it is given, or else with a new instance
  /// for each call.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  public init(
    instancePerArgument lifetime: Lifetime, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value
  ) {
    let members = Members(New(make, file: file, line: line).draft, lifetime) { arguments in
      var list: [AnyHashable] = []
      for argument in repeat each arguments.value(as: (repeat each Argument).self) {
        list.append(AnyHashable(argument))
      }
      return list
    }
    let factory = Factory { resolver, arguments, memory in
      let request = members.request(for: arguments)
      let value: Value = try resolver.resolve { (container) throws(ResolutionError) in try container.resolve(request) }
      memory.initialize { value }
    }
    self.init(
      DefinitionDraft(Value.self, factory, arguments: (repeat each Argument).self, file, line), .new)
    unsafe declaration.takeUnretainedValue().members = { members.keys }
  }
}

/// The dependencies that keep the instances of another one, one for each list of arguments.
private final class Members: @unchecked Sendable {
  // Unchecked: `labels` is locked, and the others are immutable. The arguments are `Sendable`.

  private let labels = Locked<[[AnyHashable]: Label]>([:])
  private let draft: DefinitionDraft
  private let lifetime: Lifetime
  private let list: (Arguments) -> [AnyHashable]

  /// Creates an empty list of members.
  ///
  /// - Parameters:
  ///   - draft: Everything about the members but their lifetime and their arguments.
  ///   - lifetime: The lifetime of an instance.
  ///   - list: The closure that lists the arguments of a resolution.
  init(_ draft: DefinitionDraft, _ lifetime: Lifetime, list: @escaping (Arguments) -> [AnyHashable]) {
    (self.draft, self.lifetime, self.list) = (draft, lifetime, list)
  }

  /// The keys of all members.
  var keys: [Key] { labels.withLock { Array($0.values) }.map { Key(draft.type, $0) } }

  /// Returns the request for the member that has the arguments of a resolution.
  func request(for arguments: Arguments) -> Request {
    let list = list(arguments)
    while true {
      // The arguments compare themselves, so without the lock.
      let present = labels.withLock { $0 }
      if let label = present[list] { return Request(draft.type, label, draft.location) }
      var next = present
      next[list] = unsafe .dependency(member(with: arguments))
      labels.withLock { labels in
        if labels.count == present.count { swap(&labels, &next) }
      }
    }
  }

  private func member(with arguments: Arguments) -> Unmanaged<Label.Declaration> {
    // The closure keeps the arguments, as long as the process lives.
    let (box, factory) = (arguments.boxed, draft.factory)
    let member = DefinitionDraft(
      type: draft.type,
      factory: Factory { resolver, _, memory in
        try factory.create(resolver, box.map { Arguments($0) } ?? .none, memory)
      }, isolation: draft.isolation, aliases: [], label: .none, location: draft.location)
    return unsafe Label.Declaration.make(member, lifetime: lifetime, cell: EmptyTable.cell.address)
  }
}
