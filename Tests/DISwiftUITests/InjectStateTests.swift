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

  private struct SharedView: View {
    @InjectState private var model: Model
    var body: some View { Text(model.name) }
  }

  private struct ModelView: View {
    @InjectState private var model: Model
    @Environment(\.container) private var container
    let seen: (Model, DIContainer) -> Void

    static let line = #line + 2
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

  @MainActor
  private protocol Titled: AnyObject, Observable { var title: String { get set } }

  @MainActor @Observable
  private final class Page: Titled {
    var title = "page"
  }

  private struct TitledView: View {
    @InjectState private var model: any Titled

    var body: some View { TextField("Title", text: $model.title) }
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
  @Suite(.isolatedContainer(.empty))
  struct InjectStateTests {
    @Test("The arguments are evaluated once, not for each value of the view, and a declared dependency takes some, too")
    func arguments() {
      DIContainer.register(MainNew { _, name in Model(name) })
      var calls = 0
      let display = Display {
        ModelView {
          calls += 1
          return "\(calls)"
        }
      }
      #expect((calls, display.texts) == (0, ["1"]))
      display.refresh()
      #expect(display.texts == ["1"])
      expectResolved(Model.self, times: 1)
      do {
        let display = Display { DeclaredView(3) }
        #expect(display.texts == ["5", "6"])
        let container = DIContainer(parent: .current)
        container.register { DIContainer.double.overridden { (_: Resolver, number: Int) in "overridden \(number)" } }
        #expect(Display { DeclaredView(3).container(container) }.texts == ["5", "overridden 3"])
      }
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
      #expect(
        models.allSatisfy { $0 === models[0] } && models[0].service === container.resolve(Service.self)
          && models[0].service !== DIContainer.resolve(Service.self))
    }

    @Test("A view keeps its model when the scope of the model ends")
    func scope() {
      DIContainer.register(Scoped(in: Scope("session"), onMain: Model("later")))
      DIContainer.resolve(Model.self).name = "first"
      let display = Display { SharedView() }
      #expect(display.texts == ["first"])
      DIContainer.reset(Scope("session"))
      display.refresh()
      #expect(display.texts == ["first"])
      #expect(Display { SharedView() }.texts == ["later"])
    }

    @Test("A view keeps its model until it disappears, and another view identity has another one")
    func identity() {
      do {
        DIContainer.register(MainNew { _, name in Model(name) })
        struct Switch: View {
          let isFirst: Bool
          var body: some View {
            if isFirst { ModelView({ "first" }) } else { ModelView({ "second" }) }
          }
        }
        @MainActor final class Shown {
          var (isFirst, id) = (true, "a")
        }
        let shown = Shown()
        let display = Display {
          Switch(isFirst: shown.isFirst)
          ModelView { shown.id }
        }
        display.enter("edited", in: "Name")
        #expect(display.texts == ["first", "edited"])
        shown.id = "b"
        display.refresh()
        #expect(display.texts == ["first", "edited"])
        shown.isFirst = false
        display.refresh()
        #expect(display.texts == ["second", "edited"])
        shown.isFirst = true
        display.refresh()
        #expect(display.texts == ["first", "edited"])
        expectResolved(Model.self, times: 4)
      }
      do {
        DIContainer.register(MainNew { _, name in Model(name) })
        @MainActor final class Shown {
          var isShown = true
          weak var model: Model?
        }
        let shown = Shown()
        let display = Display {
          if shown.isShown {
            ModelView({ "1" }) { model, _ in shown.model = model }
          } else {
            Text("nothing")
          }
        }
        #expect(display.texts == ["1"] && shown.model != nil)
        shown.isShown = false
        display.refresh()
        #expect(display.texts == ["nothing"] && shown.model == nil)
      }
    }

    @Test("A view shows a change of its observable model, and no change of another object")
    func observation() {
      final class Plain {
        var count = 0
      }
      struct PlainView: View {
        @InjectState private var plain: Plain
        var body: some View { Button("\(plain.count)") { plain.count += 1 } }
      }
      DIContainer.register {
        Shared(Plain())
        MainShared(Model("1"))
      }
      let display = Display {
        SharedView()
        PlainView()
      }
      #expect(display.texts == ["1", "0"])
      display.press("0")
      #expect(display.texts == ["1", "0"])
      DIContainer.resolve(Model.self).name = "2"
      #expect(display.texts == ["2", "1"])
    }

    @Test(
      "A name finds the registration with that name, with arguments as well, and a missing model is reported at the property",
      .exitTest
    )
    func names() async {
      struct NamedView: View {
        @InjectState(named: "other") private var model: Model
        @InjectState private var argument: Model
        init() { _argument = InjectState(named: "other with an argument") { 1 } }
        var body: some View {
          Text(model.name)
          Text(argument.name)
        }
      }
      DIContainer.register {
        MainNew(Model("plain"))
        MainNew(Model("other"), named: "other")
        MainNew({ _, number in Model("\(number as Int)") }, named: "other with an argument")
      }
      #expect(Display { NamedView() }.texts == ["other", "1"])
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
        _ = Display { ModelView({ "1" }) }.texts
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("asked at   DISwiftUITests/InjectStateTests.swift:\(ModelView.line)"))
    }

    @Test("Whatever lifetime it has, the view keeps the instance, and one resolved by its protocol has bindings, too")
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
      display.refresh()
      #expect(display.texts == ["new"])
      #expect(seen.allSatisfy { $0.0 === first.0 && $0.1 == nil && $0.2 === first.2 })
      expectResolved(Model.self, times: 1)
      expectResolved(Cache.self, times: 1)
      do {
        DIContainer.register(MainNew(Page() as any Titled))
        let display = Display { TitledView() }
        #expect(display.texts == ["page"])
        display.enter("other", in: "Title")
        #expect(display.texts == ["other"])
      }
    }

    @Test("A preview is entered when it is shown, and again when another one was shown meanwhile", .exitTest)
    func previews() async {
      await #expect(processExitsWith: .success) { @MainActor in
        DIContainer.register(New("app"))
        struct Name: View {
          @InjectState private var name: String
          var body: some View { Text(name) }
        }
        struct Resolving: View {
          var body: some View {
            Text("\(DIContainer.resolve(Int.self)) \(DIContainer.resolve(String?.self) ?? "nothing")")
          }
        }
        let first = Preview(traits: .dependencies { New("first") }) { Name() }
        let second = Preview(traits: .dependencies(.empty) { New(2) }) { Resolving() }
        let third = Preview(traits: .dependencies()) { Name() }
        #expect(
          (DIContainer.resolve(String.self), first.display.texts, second.display.texts) == (
            "app", ["first"], ["2 nothing"]
          ))
        first.display.refresh()
        #expect(
          first.display.texts == ["first"] && DIContainer.resolve(String.self) == "first"
            && third.display.texts == ["app"])
      }
    }
  }
#endif
