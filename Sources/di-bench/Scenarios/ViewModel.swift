/// What there is one instance of, for whoever needs several.
protocol Store: Sendable {
  /// Which instance this is.
  var identity: ObjectIdentifier { get }
}

/// The one implementation of `Store`.
final class StoreImpl: Store {
  private let launchArguments = CommandLine.arguments.count

  var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// What is created anew from three instances that exist.
protocol ViewModel: Sendable {
  /// Which instance this is.
  var identity: ObjectIdentifier { get }

  /// What it was created from.
  var parts: ViewModelParts { get }
}

/// Which instances a view model was created from.
struct ViewModelParts: Equatable, Sendable {
  let service: ObjectIdentifier
  let boundService: ObjectIdentifier
  let store: ObjectIdentifier
}

/// The one implementation of `ViewModel`.
final class ViewModelImpl: ViewModel {
  private let service: any Service
  private let boundService: any BoundService
  private let store: any Store

  @inline(never)
  init(_ service: any Service, _ boundService: any BoundService, _ store: any Store) {
    self.service = service
    self.boundService = boundService
    self.store = store
  }

  var identity: ObjectIdentifier { ObjectIdentifier(self) }

  var parts: ViewModelParts {
    ViewModelParts(service: service.identity, boundService: boundService.identity, store: store.identity)
  }
}
