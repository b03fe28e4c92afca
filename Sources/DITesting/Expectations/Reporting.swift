internal import DependencyInjection

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// The two frameworks that run tests.
enum TestFramework: Sendable {
  case swiftTesting
  case xctest

  /// The framework that runs the calling code, as far as is known.
  ///
  /// Inside a test of Swift Testing, this is certain. A detached task may have the container of a test, which knows the
  /// framework; otherwise, the running tests know it. If none is running, the arguments of the process decide: the
  /// package manager runs each framework in its own process.
  static var current: TestFramework {
    if isInSwiftTesting { return .swiftTesting }
    if let framework = DIContainer.current.recorder?.test.framework ?? ActiveTests.current?.framework {
      return framework
    }
    let library = CommandLine.arguments.drop { $0 != "--testing-library" }.dropFirst().first
    return library == "swift-testing" ? .swiftTesting : .xctest
  }

  /// A Boolean value that indicates whether the calling code belongs to a test of Swift Testing, as far as its task knows.
  static var isInSwiftTesting: Bool {
    #if canImport(Testing)
      Test.current != nil
    #else
      false
    #endif
  }

  /// The name of the running test; nil if none is known to run.
  static var nameOfTest: String? {
    #if canImport(Testing)
      if let test = Test.current { return "\(test.name) (\(test.sourceLocation))" }
    #endif
    return TestRun.name
  }
}

/// Fails the running test in the framework that runs it: the other framework silently ignores a failure.
///
/// - Parameters:
///   - message: The text.
///   - location: The location.
///   - framework: The framework; by default, the one that runs the calling code.
///   - isWarning: A Boolean value that indicates whether the test still passes.
func report(
  _ message: String, at location: FailureLocation, to framework: TestFramework = .current, isWarning: Bool = false
) {
  // If code has the container of a test, but not its task, the test makes the report. XCTest knows the running test.
  let creator = framework == .swiftTesting ? DIContainer.bound?.recorder?.test : nil
  if IsolatedTest.current == nil, let test = ActiveTests.running(DIContainer.bound)?.test ?? creator {
    return test.reportAtEnd { reportAtOnce(message, at: location, to: framework, isWarning: isWarning) }
  }
  reportAtOnce(message, at: location, to: framework, isWarning: isWarning)
}

/// Fails the running test at once, because the process may end before the test does.
func reportAtOnce(
  _ message: String, at location: FailureLocation, to framework: TestFramework, isWarning: Bool = false
) {
  switch framework {
  case .swiftTesting:
    #if canImport(Testing)
      let place = Testing.SourceLocation(
        fileID: "\(location.code.file)", filePath: "\(location.filePath)", line: Int(location.code.line),
        column: location.column)
      Issue.record(Comment(rawValue: message), severity: isWarning ? .warning : .error, sourceLocation: place)
    #else
      fatalError(message)
    #endif
  case .xctest:
    #if canImport(XCTest)
      // In the form that compilers print, because the framework has no warnings.
      if isWarning { return print("\(location.filePath):\(location.code.line): warning: \(message)") }
      XCTFail(message, file: location.filePath, line: location.code.line)
    #else
      fatalError(message)
    #endif
  }
}

/// Returns the first five different names as text, and the number of different names.
func shortList(of names: [String]) -> (text: String, count: Int) {
  var different: [String] = []
  for name in names where !different.contains(name) { different.append(name) }
  let shown = different.prefix(5).joined(separator: ", ")
  return (different.count <= 5 ? shown : "\(shown) and \(different.count - 5) more", different.count)
}
