#if !canImport(SwiftUI)
  import DITesting
  import DependencyInjection
  import Observation
  import SwiftUIStandIns
  import Testing

  @MainActor @Observable
  private final class Model {
    var name: String
    @ObservationIgnored @LazyInject var service: Service
    init(_ name: String) { self.name = name }
  }
  private final class Service: Sendable {}
  private final class Cache: Sendable {}

  private struct ModelView: View {
    @InjectState private var model: Model
    @Environment(\.container) private var container
    let seen: (Model, DIContainer) -> Void

    init(_ id: @escaping @MainActor () -> String, _ seen: @escaping (Model, DIContainer) -> Void = { _, _ in }) {
      _model = InjectState { id() }
      self.seen = seen
    }

    var body: some View {
      let _ = seen(model, container)
      TextField("Name", text: $model.name)
    }
  }

  private struct LifetimesView: View {
    @InjectState private var new: Model
    @InjectState private var optional: Service?
    @InjectState private var weak: Cache
    let seen: (Model, Service?, Cache) -> Void

    var body: some View {
      let _ = seen(new, optional, weak)
      Text(new.name)
    }
  }

  extension DIContainer {
    fileprivate static let sum = Dependency { (_: Resolver, first: Int, second: Int) in "\(first + second)" }
    fileprivate static let double = Dependency { (_: Resolver, number: Int) in "\(number * 2)" }
  }

  private struct DeclaredView: View {
    @InjectState private var sum: String
    @InjectState private var double: String

    init(_ number: Int) {
      _sum = InjectState(DIContainer.sum) { (number, 2) }
      _double = InjectState(DIContainer.double) { number }
    }

    var body: some View {
      Text(sum)
      Text(double)
    }
  }

  @MainActor
  @Suite("Injected state", .isolatedContainer(.empty))
  struct InjectStateTests {
    @Test("The arguments are evaluated once, not for each value of the view")
    func arguments() {
      DIContainer.register(MainNew { _, name in Model(name) })
      var calls = 0
      let display = Display {
        ModelView {
          calls += 1
          return "\(calls)"
        }
      }
      #expect(calls == 0)
      #expect(display.texts == ["1"] && display.texts == ["1"])
      expectResolved(Model.self, times: 1)
    }

    @Test("A declared dependency takes arguments")
    func declared() {
      let display = Display { DeclaredView(3) }
      #expect(display.texts == ["5", "6"])
      let container = DIContainer(parent: .current)
      container.register { DIContainer.double.overridden { (_: Resolver, number: Int) in "overridden \(number)" } }
      #expect(Display { DeclaredView(3).container(container) }.texts == ["5", "overridden 3"])
    }

    @Test("The container of the environment resolves the model, and what the model asks for later")
    func environment() {
      let container = DIContainer(parent: .current)
      DIContainer.register {
        MainNew { _, name in Model(name) }
        Shared(Service())
      }
      container.register {
        Shared(Service())
        New("1")
      }
      var models: [Model] = []
      let display = Display {
        ModelView({ DIContainer.resolve(String.self) }) {
          #expect($1 === container)
          models.append($0)
        }.container(container)
      }
      #expect(display.texts == ["1"])
      #expect(models.allSatisfy { $0 === models[0] } && models[0].service === container.resolve(Service.self))
      #expect(models[0].service !== DIContainer.resolve(Service.self))
    }

    @Test("Without a container in the environment, it is the current one")
    func current() {
      DIContainer.register(MainNew { _, name in Model(name) })
      let display = Display { ModelView({ "1" }) { #expect($1 === DIContainer.current) } }
      #expect(display.texts == ["1"])
    }

    @Test("Each place of a view has a model, which lives as long as the place")
    func identity() {
      DIContainer.register(MainNew { _, name in Model(name) })
      weak var model: Model?
      do {
        let display = Display {
          ModelView({ "1" }) { seen, _ in model = seen }
        }
        display.enter("2", in: "Name")
        #expect(display.texts == ["2"] && model?.name == "2")
        #expect(Display { ModelView({ "1" }) }.texts == ["1"])
      }
      #expect(model == nil)
    }

    @Test("Whatever lifetime it has, the view keeps the instance")
    func lifetimes() {
      DIContainer.register {
        MainNew(Model("new"))
        Weak(Cache())
      }
      var seen: [(Model, Service?, Cache)] = []
      let display = Display { LifetimesView { seen.append(($0, $1, $2)) } }
      #expect(display.texts == ["new"])
      let first = seen[0]
      seen = []
      #expect(display.texts == ["new"])
      #expect(seen.allSatisfy { $0.0 === first.0 && $0.1 == nil && $0.2 === first.2 })
      expectResolved(Model.self, times: 1)
      expectResolved(Cache.self, times: 1)
    }

    @Test("A preview is entered again when it is shown again")
    func previews() async {
      await #expect(processExitsWith: .success) { @MainActor in
        DIContainer.register(New("app"))
        struct Name: View {
          @InjectState private var name: String
          var body: some View { Text(name) }
        }
        let first = Preview(traits: .dependencies { New("first") }) { Name() }
        let second = Preview(traits: .dependencies(.empty) { New(2) }) {
          Text("\(DIContainer.resolve(Int.self)) \(DIContainer.resolve(String?.self) ?? "nothing")")
        }
        #expect(first.display.texts == ["first"])
        #expect(second.display.texts == ["2 nothing"])
        #expect(first.display.texts == ["first"] && DIContainer.resolve(String.self) == "first")
        Preview(traits: .dependencies {}) { Name() }
        #expect(Preview.all[2].display.texts == ["app"])
      }
    }
  }
#endif
