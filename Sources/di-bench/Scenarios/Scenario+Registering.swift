internal import DependencyInjection

extension Scenario {
  /// What registering costs.
  static let registering: [Scenario] = [
    Scenario(
      "register/many", "one of 1000 registrations in an empty container, one container per thread",
      beside: "reference/dictionary",
      RegisterLoop<ContainerRegistrar>(), RegisterLoop<DictionaryRegistrar>(), RegisterLoop<LockedDictionary>(),
      RegisterLoop<SerialQueueDictionary>()),
    Scenario(
      "lifecycle/register-10000", "one of the first 10000 registrations of a process",
      inOwnProcess: OwnProcess(interval: 8, seconds: 0.3), beside: "reference/dictionary",
      RegisterLoop<ContainerRegistrar>(Keys.many, isFirst: true),
      RegisterLoop<DictionaryRegistrar>(Keys.many, isFirst: true)),
    Scenario(
      "memory/registration", "the bytes of one of 10000 registrations, in the same way",
      inOwnProcess: OwnProcess(interval: 32, seconds: 0.3), beside: "reference/dictionary",
      RegisterLoop<ContainerRegistrar>(Keys.many, isFirst: true, measuresGrowth: true),
      RegisterLoop<DictionaryRegistrar>(Keys.many, isFirst: true, measuresGrowth: true)),
  ]

  /// What a container and a module cost.
  static let starting: [Scenario] = [
    Scenario(
      "lifecycle/init", "an empty container, made and released",
      CheckedLoop(registrations: 0) { count, _ in
        for _ in 0..<count { _ = DIContainer() }
        return 0
      },
      CheckedLoop(registrations: 0) { count, _ in
        for _ in 0..<count { _ = empty() }
        return 0
      }),
    Scenario(
      "lifecycle/module", "a module of 100 registrations, registered in an empty container",
      registering(Module { for key in Keys.all.prefix(100) { part(key) } }),
      CheckedLoop { count, _ in
        var wrong = 0
        for _ in 0..<count {
          let entries = LockedDictionary()
          for key in Keys.all.prefix(100) { entries.register(key) }
          if entries.count != 100 { wrong &+= 1 }
        }
        return wrong
      }),
  ]

  private static func registering(_ module: Module) -> CheckedLoop {
    CheckedLoop { count, _ in
      var wrong = 0
      for _ in 0..<count {
        let container = DIContainer()
        container.register(module)
        if container.registry().records.count != 100 { wrong &+= 1 }
      }
      return wrong
    }
  }

  /// Not inlined, because nothing would be left of it.
  @inline(never)
  private static func empty() -> LockedDictionary { LockedDictionary() }

  private static func part<Value: Keyed>(_: Value.Type) -> Module {
    Module(New(Value()))
  }
}
