internal import DependencyInjection

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// Where a failure is shown: the line of the test that called, or of the resolve that must not be.
struct FailureLocation {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  init(
    _ fileID: StaticString = #fileID, _ filePath: StaticString = #filePath, _ line: UInt = #line,
    _ column: UInt = #column
  ) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// The place of a resolve or a registration, of which there is no path.
  init(_ location: DependencyInjection.SourceLocation) {
    self.init(location.file, location.file, location.line, 1)
  }
}

/// The two frameworks that run tests.
enum TestFramework: Sendable {
  case swiftTesting
  case xctest

  /// The one that runs the calling code, as far as that can be told.
  ///
  /// Inside a test of Swift Testing that is certain. Code that has lost its test, in a detached task, still has the
  /// container of the test if it was given it, and that knows. What is left is how the process was started: the package
  /// manager runs each framework in a process of its own.
  static var current: TestFramework {
    #if canImport(Testing)
      if Test.current != nil { return .swiftTesting }
    #endif
    if let recorder = DIContainer.current.recorder { return recorder.framework }
    if let tests = ActiveTests.current { return tests.framework }
    let arguments = CommandLine.arguments
    if let option = arguments.firstIndex(of: "--testing-library"), option + 1 < arguments.count {
      return arguments[option + 1] == "swift-testing" ? .swiftTesting : .xctest
    }
    return .xctest
  }
}

/// Fails the running test, in the one framework that runs it: a failure reported to the other one passes silently.
///
/// - Parameters:
///   - message: What to say.
///   - location: Where.
///   - framework: The framework, if it is known.
///   - isWarning: Whether the test passes all the same.
func report(
  _ message: String, at location: FailureLocation, to framework: TestFramework? = nil, isWarning: Bool = false
) {
  switch framework ?? .current {
  case .swiftTesting:
    #if canImport(Testing)
      let place = Testing.SourceLocation(
        fileID: "\(location.fileID)", filePath: "\(location.filePath)", line: Int(location.line),
        column: Int(location.column))
      #if compiler(>=6.3)
        Issue.record(Comment(rawValue: message), severity: isWarning ? .warning : .error, sourceLocation: place)
      #else
        if isWarning { return print(warning(message, at: location)) }
        Issue.record(Comment(rawValue: message), sourceLocation: place)
      #endif
    #else
      fatalError(message, file: location.fileID, line: location.line)
    #endif
  case .xctest:
    #if canImport(XCTest)
      if isWarning { return print(warning(message, at: location)) }
      XCTFail(message, file: location.filePath, line: location.line)
    #else
      fatalError(message, file: location.fileID, line: location.line)
    #endif
  }
}

/// A warning in the form that compilers print, for a framework that has none.
private func warning(_ message: String, at location: FailureLocation) -> String {
  "\(location.filePath):\(location.line): warning: \(message)"
}
