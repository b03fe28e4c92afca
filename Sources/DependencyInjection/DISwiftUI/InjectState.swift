#if canImport(SwiftUI)
  public import SwiftUI
#endif
#if canImport(SwiftUI) || SWIFTUI_STAND_INS
  public import DependencyInjection

  /// A property wrapper that injects a model into a view, once for each view identity.
  ///
  /// ```swift
  /// struct ItemView: View {
  ///   @InjectState private var model: ItemModel
  ///
  ///   init(id: String) { _model = InjectState { id } }
  ///
  ///   var body: some View { TextField("Name", text: $model.name) }
  /// }
  /// ```
  ///
  /// The model is resolved when the view first needs it, from the container in its environment, with that container as
  /// the current one. The view keeps the model as it keeps its state, whatever lifetime the model has in the container.
  /// `$model` has bindings to the properties of an `Observable` model.
  ///
  /// If the parent view passes other arguments, the view keeps its model. `ItemView(id: id).id(id)` gives each ID its
  /// own model.
  ///
  /// Read the model in the body of the view, in its tasks or in its actions. The initializer of the view is too early,
  /// because there is no state and no environment yet.
  @MainActor
  @propertyWrapper
  public struct InjectState<Value>: DynamicProperty {
    @Environment(\.container) private var container
    // Not `@State`, which is a macro since Xcode 27, and does no more than this.
    private let state = State(initialValue: ModelBox<Value>())
    private let resolve: @MainActor (DIContainer) -> Value

    /// Injects a model: `@InjectState private var model: SettingsModel`.
    ///
    /// - Parameters:
    ///   - name: The name that it is registered with, if any.
    ///   - file: The file of the property.
    ///   - line: The line of the property.
    public init(named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line) {
      resolve = { $0.resolve(named: name, file: file, line: line) }
    }

    /// Injects a model with arguments: `_model = InjectState { id }`.
    ///
    /// - Parameters:
    ///   - name: The name that it is registered with, if any.
    ///   - file: The file of the property.
    ///   - line: The line of the property.
    ///   - arguments: Returns the argument, or a tuple of arguments; called once for each view identity.
    public init<Arguments>(
      named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
      arguments: @escaping @MainActor () -> Arguments
    ) {
      resolve = { $0.resolve(named: name, file: file, line: line) { arguments() } }
    }

    /// Injects a declared dependency: `@InjectState(DIContainer.player) private var player`.
    ///
    /// - Parameters:
    ///   - declared: The dependency.
    ///   - file: The file of the property.
    ///   - line: The line of the property.
    public init(_ declared: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line) {
      resolve = { declared(from: $0, file: file, line: line) }
    }

    /// Injects a declared dependency with arguments: `_item = InjectState(DIContainer.item) { id }`.
    ///
    /// - Parameters:
    ///   - declared: The dependency.
    ///   - file: The file of the property.
    ///   - line: The line of the property.
    ///   - arguments: Returns the argument, or a tuple of arguments; called once for each view identity.
    public init<each Argument>(
      _ declared: Dependency<Value, repeat each Argument>, file: StaticString = #fileID, line: UInt = #line,
      arguments: @escaping @MainActor () -> (repeat each Argument)
    ) {
      resolve = { container in
        let arguments = arguments()
        return declared(repeat each arguments, from: container, file: file, line: line)
      }
    }

    /// The model, which the first access resolves.
    public var wrappedValue: Value {
      let container = container
      return state.wrappedValue.model { DIContainer.withCurrent(container) { resolve(container) } }
    }

    /// Bindings to the properties of the model, which is an observable object: `$model.name`.
    public var projectedValue: Bindings { Bindings(model: wrappedValue) }
  }

  extension InjectState {
    /// Bindings to the properties of a model.
    @MainActor
    @dynamicMemberLookup
    public struct Bindings {
      fileprivate let model: Value

      /// Returns a binding to a property of the model.
      public subscript<Subject>(dynamicMember property: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
        // Not a `Bindable`, which does not accept an existential of a protocol. Sound: both closures are isolated to
        // the main actor, on which the model is used.
        nonisolated(unsafe) let (model, property) = (model, property)
        return Binding(
          get: { @MainActor in unsafe model[keyPath: unsafe property] },
          set: { @MainActor in unsafe model[keyPath: unsafe property] = $0 })
      }
    }
  }

  /// The model of one view, which is created when it is first needed.
  @MainActor
  private final class ModelBox<Model> {
    private var model: Model?

    nonisolated init() {}

    /// Returns the model, which the first call creates.
    func model(_ create: @MainActor () -> Model) -> Model {
      if let model { return model }
      let created = create()
      model = created
      return created
    }
  }
#endif
