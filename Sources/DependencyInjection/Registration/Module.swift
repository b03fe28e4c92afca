/// Registrations that belong together, such as those of one feature.
///
/// A module lets a part of an app provide its dependencies without exposing their types:
///
/// ```swift
/// public enum SearchFeature {
///   public static let module = Module {
///     Shared(SearchImpl() as Search)
///     New(SearchViewModelImpl() as SearchViewModel)
///   }
/// }
///
/// DIContainer.register(SearchFeature.module)
/// ```
///
/// Creating a module creates no instance. Registering a module registers everything in it at once.
public struct Module: Registration {
  private let list: RegistrationList

  /// Creates a module of one registration.
  ///
  /// - Parameter registration: The registration.
  public init(_ registration: some Registration) {
    list = RegistrationBuilder.buildExpression(registration)
  }

  /// Creates a module of any number of registrations.
  ///
  /// - Parameter registrations: The registrations, in order.
  public init(@RegistrationBuilder _ registrations: () -> RegistrationList) {
    list = registrations()
  }

  /// Adds the registrations of the module to a list.
  ///
  /// - Parameter list: The list.
  public func add(to list: inout RegistrationList) {
    list.add(self.list)
  }
}
