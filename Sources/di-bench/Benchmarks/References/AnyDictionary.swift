internal import DIBenchmarking

/// A dictionary from types to instances and factories, behind some kind of lock: the usual way to write a container.
///
/// Everything in it is stored without its type and cast when it is read. `any Sendable` is represented like `Any`.
protocol AnyDictionary: AnyObject, Sendable {
  /// Creates an instance from the dictionary, which resolves what it needs, and the arguments.
  typealias Factory = @Sendable (Self, any Sendable) -> any Sendable
  init()
  var count: Int { get }
  /// Registers an instance or a factory.
  func set(_ value: any Sendable, for key: ObjectIdentifier)
  /// The registered instance, of a type that is registered with one.
  func instance<Value>(_ type: Value.Type) -> Value
  /// A new instance, of a type that is registered with a factory.
  func make<Value>(_ type: Value.Type, _ arguments: any Sendable) -> Value
}

extension AnyDictionary {
  func register<Value: Keyed>(_ type: Value.Type) { register(type) { _, _ in Value() } }
  func register(_ type: Any.Type, _ factory: @escaping Factory) { set(factory, for: ObjectIdentifier(type)) }
  func override(revision: Int) { set(RevisionImpl(number: revision), for: ObjectIdentifier((any Revision).self)) }

  /// Returns a dictionary with what the benchmarks resolve, and as many types as the container has.
  static func filled() -> Self {
    let entries = Self()
    entries.set(ServiceImpl(launchArguments: CommandLine.arguments.count), for: ObjectIdentifier((any Service).self))
    entries.set(BoundServices.make(), for: ObjectIdentifier((any BoundService).self))
    entries.set(StoreImpl(), for: ObjectIdentifier((any Store).self))
    entries.set(Settings.make(), for: ObjectIdentifier(Settings.self))
    entries.set(Session.make(), for: ObjectIdentifier(Session.self))
    entries.set(ThreadServiceImpl(), for: ObjectIdentifier((any ThreadServiceA).self))
    entries.set(ThreadServiceImpl(), for: ObjectIdentifier((any ThreadServiceB).self))
    entries.set(ThreadServiceImpl(), for: ObjectIdentifier((any ThreadServiceC).self))
    entries.set(ThreadServiceImpl(), for: ObjectIdentifier((any ThreadServiceD).self))
    entries.override(revision: 0)
    entries.register((any ViewModel).self) { entries, _ in
      ViewModelImpl(
        entries.instance((any Service).self), entries.instance((any BoundService).self),
        entries.instance((any Store).self))
    }
    entries.register((any Item).self) { _, _ in ItemImpl() }
    entries.register((any Labelled).self) { _, arguments in
      let (id, name) = arguments as! (Int, String)
      return LabelledImpl(id: id, name: name)
    }
    entries.register(Chain.Link1.self) { _, _ in Chain.Link1(Chain.End()) }
    entries.register(Chain.Link2.self) { entries, _ in Chain.Link2(entries.make(Chain.Link1.self, ())) }
    entries.register(Chain.Link3.self) { entries, _ in Chain.Link3(entries.make(Chain.Link2.self, ())) }
    entries.register(Chain.Link4.self) { entries, _ in Chain.Link4(entries.make(Chain.Link3.self, ())) }
    entries.register(Chain.Link5.self) { entries, _ in Chain.Link5(entries.make(Chain.Link4.self, ())) }
    entries.register(Chain.Link6.self) { entries, _ in Chain.Link6(entries.make(Chain.Link5.self, ())) }
    entries.register(Chain.Link7.self) { entries, _ in Chain.Link7(entries.make(Chain.Link6.self, ())) }
    entries.register(Chain.Link8.self) { entries, _ in Chain.Link8(entries.make(Chain.Link7.self, ())) }
    entries.register(Chain.Link9.self) { entries, _ in Chain.Link9(entries.make(Chain.Link8.self, ())) }
    entries.register(Chain.Last.self) { entries, _ in Chain.Last(entries.make(Chain.Link9.self, ())) }
    for key in Keys.all.prefix(ContainerProvider.registrationCount - entries.count) { entries.register(key) }
    return entries
  }
}
