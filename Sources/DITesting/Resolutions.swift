public import DependencyInjection

/// Remembers every resolve from a container.
final class ResolutionRecorder: ResolutionObserver {
  /// The framework that runs the test the container belongs to.
  let framework: TestFramework

  private let resolutions = Locked<[Resolution]>([])

  init(for framework: TestFramework) {
    self.framework = framework
  }

  func didResolve(_ resolution: Resolution) {
    resolutions.withLock { $0.append(resolution) }
  }

  /// The resolves of a type, in order; an alias counts as itself.
  func resolutions(of type: Any.Type) -> [Resolution] {
    resolutions.withLock { all in all.filter { $0.type == type } }
  }
}

extension DIContainer {
  /// The recorder that sees the resolves from this container, its own or an ancestor's.
  var recorder: ResolutionRecorder? {
    nearestObserver() as? ResolutionRecorder
  }

  /// How many times a type has been resolved in this test.
  ///
  /// Counts what was asked for: an alias counts as itself, and an instance that was there already counts as well. What
  /// injected properties and factories ask for is included.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - fileID: The caller's file, for messages.
  ///   - filePath: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - column: The caller's column, for messages.
  /// - Returns: The number of resolves since the isolation of the test began. Outside of one, that is a failure of the
  ///   test and 0.
  public static func resolveCount<Value>(
    of type: Value.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Int {
    guard let recorder = current.recorder else {
      reportNothingRecorded(of: type, at: FailureLocation(fileID, filePath, line, column))
      return 0
    }
    return recorder.resolutions(of: type).count
  }
}
