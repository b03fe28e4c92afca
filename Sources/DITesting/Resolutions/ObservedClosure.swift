internal import DependencyInjection

/// The resolutions of a closure and of the tasks that it starts, while it runs.
final class ObservedClosure: Sendable {
  private let recorder: ResolutionRecorder?
  private let outer: ObservedClosure?
  private let resolved = Locked<[ResolutionEvent]>([])

  /// Prepares to watch a closure for a recorder, or for none if nothing is recorded.
  init(_ recorder: ResolutionRecorder?) {
    self.recorder = recorder
    outer = Self.innermost
  }

  /// The closure that the calling code runs in.
  static var innermost: ObservedClosure? { DIContainer.observation as? ObservedClosure }

  /// Adds a resolution that a recorder has seen.
  func add(_ resolution: ResolutionEvent, to recorder: ResolutionRecorder) {
    if recorder === self.recorder { resolved.withLock { $0.append(resolution) } }
    outer?.add(resolution, to: recorder)
  }

  /// The resolutions so far, in order.
  var resolutions: [ResolutionEvent] { resolved.withLock { $0 } }
}
