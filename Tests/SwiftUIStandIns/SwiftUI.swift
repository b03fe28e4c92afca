// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The parts of SwiftUI that tests need on other systems, with its behavior: the value of a view is made again and
// again, a state belongs to the location of the view, and its initial value is created with each value of the view, as
// before Xcode 27. That of a state object is created when it is first needed.
//
// DISwiftUI is compiled here as well, against this.

#if !canImport(SwiftUI)
  import Observation

  // MARK: - Views

  @MainActor
  public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
  }

  /// A view that a ``Display`` shows without asking for a body.
  @MainActor
  protocol Primitive {
    func show(on display: Display, at location: String, _ environment: EnvironmentValues)
  }

  extension Never: View {
    public var body: Never { fatalError("Nothing looks inside.") }
  }

  extension Primitive {
    public var body: Never { fatalError("A display shows this view itself.") }
  }

  public struct Text: View, Primitive {
    private let text: String
    nonisolated public init(_ text: String) { self.text = text }
    func show(on display: Display, at location: String, _ environment: EnvironmentValues) { display.add(text) }
  }

  public struct ProgressView: View, Primitive {
    nonisolated public init() {}
    func show(on display: Display, at location: String, _ environment: EnvironmentValues) { display.add("…") }
  }

  public struct Button: View, Primitive {
    private let title: String
    private let action: @MainActor () -> Void
    public init(_ title: String, action: @escaping @MainActor () -> Void) {
      (self.title, self.action) = (title, action)
    }
    func show(on display: Display, at location: String, _ environment: EnvironmentValues) { display.add(title, action) }
  }

  public struct TextField: View, Primitive {
    private let title: String
    private let text: Binding<String>
    public init(_ title: String, text: Binding<String>) { (self.title, self.text) = (title, text) }
    func show(on display: Display, at location: String, _ environment: EnvironmentValues) {
      display.add(text.wrappedValue, field: (title, text))
    }
  }

  public struct TupleView: View, Primitive {
    private let views: [any View]
    fileprivate init(_ views: [any View]) { self.views = views }
    func show(on display: Display, at location: String, _ environment: EnvironmentValues) {
      for (index, view) in views.enumerated() { display.show(view, at: "\(location).\(index)", environment) }
    }
  }

  /// One side of a condition; the sides have different identities.
  public struct Branch: View, Primitive {
    fileprivate let view: any View
    fileprivate let name: String
    func show(on display: Display, at location: String, _ environment: EnvironmentValues) {
      display.show(view, at: "\(location).\(name)", environment)
    }
  }

  @resultBuilder
  @MainActor
  public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView {
      var views: [any View] = []
      for view in repeat each content { views.append(view) }
      return TupleView(views)
    }
    public static func buildEither(first: some View) -> Branch { Branch(view: first, name: "first") }
    public static func buildEither(second: some View) -> Branch { Branch(view: second, name: "second") }
  }

  // MARK: - Modifiers

  private struct Modified<Content: View>: View, Primitive {
    // A view is made on any thread, and shown on the main actor.
    nonisolated(unsafe) private let content: Content
    nonisolated(unsafe) private let modify: (inout EnvironmentValues) -> Void

    nonisolated init(_ content: Content, _ modify: @escaping (inout EnvironmentValues) -> Void) {
      unsafe self.content = content
      unsafe self.modify = modify
    }

    func show(on display: Display, at location: String, _ environment: EnvironmentValues) {
      var environment = environment
      unsafe modify(&environment)
      display.show(unsafe content, at: location, environment)
    }
  }

  extension View {
    nonisolated public func environment<Value>(
      _ key: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> some View {
      Modified(self) { $0[keyPath: key] = value }
    }

    public func task(_ action: @escaping @MainActor () async -> Void) -> some View {
      Modified(self) { _ in MainActor.assumeIsolated { Display.current?.tasks.append(action) } }
    }
  }

  // MARK: - Properties

  /// A property that a display connects with what belongs to the location of the view.
  public protocol DynamicProperty {}

  @MainActor
  private protocol Connected {
    func connect(_ storages: Storages, at location: String, _ environment: EnvironmentValues)
  }

  /// A value that is created when it is first needed.
  private final class Storage<Value> {
    private let initial: () -> Value
    private let didChange: () -> Void
    private lazy var current = initial()

    init(_ initial: @escaping () -> Value, _ didChange: @escaping () -> Void = {}) {
      (self.initial, self.didChange) = (initial, didChange)
    }

    var value: Value {
      get { current }
      set {
        current = newValue
        didChange()
      }
    }
  }

  /// The storage of the views that are shown, by their locations.
  private final class Storages {
    private var kept: [String: AnyObject] = [:]
    private var visited: Set<String> = []
    private let didChange: () -> Void

    init(_ didChange: @escaping () -> Void) { self.didChange = didChange }

    func storage<Value>(at location: String, _ initial: @escaping () -> Value) -> Storage<Value> {
      let storage = kept[location] as? Storage<Value> ?? Storage(initial, didChange)
      kept[location] = storage
      visited.insert(location)
      return storage
    }

    /// Releases what belongs to views that are no longer shown.
    func update(_ show: () -> Void) {
      visited = []
      show()
      kept = kept.filter { visited.contains($0.key) }
    }
  }

  /// The connection of one value of a view with its storage.
  private final class Link<Value> {
    let initial: () -> Value
    var storage: Storage<Value>?
    init(_ initial: @escaping () -> Value) { self.initial = initial }

    /// The storage; outside of a display, a new one for each access.
    var connected: Storage<Value> { storage ?? Storage(initial) }

    func connect(_ storages: Storages, at location: String) { storage = storages.storage(at: location, initial) }
  }

  @propertyWrapper
  public struct State<Value>: DynamicProperty, Connected {
    private let link: Link<Value>

    public init(wrappedValue: Value) { self.init(initialValue: wrappedValue) }
    public init(initialValue: Value) { link = Link { initialValue } }

    public var wrappedValue: Value {
      get { link.connected.value }
      nonmutating set { link.connected.value = newValue }
    }

    fileprivate func connect(
      _ storages: Storages, at location: String, _ environment: EnvironmentValues
    ) { link.connect(storages, at: location) }
  }

  public protocol ObservableObject: AnyObject {}

  @propertyWrapper
  public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  }

  @propertyWrapper
  public struct StateObject<Object: ObservableObject>: DynamicProperty, Connected {
    private let link: Link<Object>

    public init(wrappedValue: @autoclosure @escaping () -> Object) { link = Link(wrappedValue) }
    public var wrappedValue: Object { link.connected.value }

    fileprivate func connect(
      _ storages: Storages, at location: String, _ environment: EnvironmentValues
    ) { link.connect(storages, at: location) }
  }

  @propertyWrapper
  public struct Binding<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void

    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
      (self.get, self.set) = (get, set)
    }

    @MainActor
    public var wrappedValue: Value {
      get { get() }
      nonmutating set { set(newValue) }
    }
  }

  // MARK: - The environment

  public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
  }

  public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    public init() {}

    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
      get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
      set { values[ObjectIdentifier(key)] = newValue }
    }
  }

  @propertyWrapper
  public struct Environment<Value>: DynamicProperty, Connected {
    private final class Values {
      var values = EnvironmentValues()
    }

    private let key: KeyPath<EnvironmentValues, Value>
    private let connected = Values()

    public init(_ key: KeyPath<EnvironmentValues, Value>) { self.key = key }
    public var wrappedValue: Value { connected.values[keyPath: key] }

    fileprivate func connect(
      _ storages: Storages, at location: String, _ environment: EnvironmentValues
    ) { connected.values = environment }
  }

  // MARK: - Apps

  @MainActor
  public protocol Scene {}

  @MainActor
  public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
  }

  public struct WindowGroup: Scene {
    /// What a new window of the group shows.
    public let window: Display
    public init<Content: View>(@ViewBuilder content: @escaping @MainActor () -> Content) { window = Display(content) }
  }

  // MARK: - What is shown

  /// Shows a view: makes its values, keeps its states, and collects what is visible.
  @MainActor
  public final class Display {
    fileprivate static var current: Display?

    private let root: @MainActor () -> any View
    private lazy var storages = Storages { [unowned self] in MainActor.assumeIsolated { isCurrent = false } }
    private var isCurrent = false
    private var shown: [String] = []
    private var actions: [String: @MainActor () -> Void] = [:]
    private var fields: [String: Binding<String>] = [:]
    fileprivate var tasks: [@MainActor () async -> Void] = []

    /// Creates a display that shows nothing yet.
    nonisolated public init<Content: View>(@ViewBuilder _ root: @escaping @MainActor () -> Content) { self.root = root }

    /// Makes the value of the view again, as the view around it does when it changes.
    public func refresh() { isCurrent = false }

    /// What the texts, fields and buttons show, from top to bottom.
    public var texts: [String] {
      update()
      return shown
    }

    /// Presses the button with a title.
    public func press(_ title: String) {
      update()
      guard let action = actions[title] else { fatalError("No button '\(title)' in \(shown)") }
      action()
    }

    /// Replaces the text of the field with a title.
    public func enter(_ text: String, in title: String) {
      update()
      guard let field = fields[title] else { fatalError("No field '\(title)' in \(shown)") }
      field.wrappedValue = text
    }

    /// Runs the tasks of the views that are shown.
    public func runTasks() async {
      update()
      for task in tasks { await task() }
    }

    /// Shows everything again, if a state or a property of an observable object that was read has changed, or if the view
    /// around it may have.
    private func update() {
      if isCurrent { return }
      let outer = Display.current
      Display.current = self
      defer { Display.current = outer }
      (shown, actions, fields, tasks) = ([], [:], [:], [])
      isCurrent = true
      withObservationTracking {
        storages.update {
          for _ in 0..<2 { _ = root() }
          show(root(), at: "", EnvironmentValues())
        }
      } onChange: { [weak self] in
        MainActor.assumeIsolated { self?.isCurrent = false }
      }
    }

    func add(_ text: String, _ action: (@MainActor () -> Void)? = nil) {
      shown.append(text)
      actions[text] = action
    }

    func add(_ text: String, field: (title: String, text: Binding<String>)) {
      shown.append(text)
      fields[field.title] = field.text
    }

    /// Shows a view, and makes the values of the views in it three times.
    func show(_ view: some View, at location: String, _ environment: EnvironmentValues) {
      if let primitive = view as? any Primitive { return primitive.show(on: self, at: location, environment) }
      let location = "\(location)/\(type(of: view))"
      connect(view, at: location, environment)
      for _ in 0..<2 { _ = view.body }
      show(view.body, at: location, environment)
    }

    /// Connects the properties of a view, and those within them.
    private func connect(_ value: Any, at location: String, _ environment: EnvironmentValues) {
      for (label, property) in Mirror(reflecting: value).children where property is any DynamicProperty {
        let location = "\(location).\(label ?? "")"
        if let connected = property as? any Connected { connected.connect(storages, at: location, environment) }
        connect(property, at: location, environment)
      }
    }
  }
#endif
