import DITesting
import DependencyInjection
import XCTest

/// A test case that collects failures instead of failing.
class FailureCollectingTestCase: DITestCase {
  /// The reports since collecting began: file, line and text.
  private var collected: [String]?

  /// The number of failures so far, of a closure whose failures are collected.
  var numberOfFailures: Int { collected?.count ?? 0 }

  /// Checks that a closure reports exactly one failure, with this text, at this line.
  func expectXCTestFailure(
    _ text: String, _ body: () -> Void, file: StaticString = #filePath, line: UInt = #line
  ) {
    expectXCTestFailure(text, at: "\(file):\(line)", body)
  }

  /// Checks that an asynchronous closure reports exactly one failure, with this text, at this line.
  @nonobjc  // It could not be isolated to the caller's actor otherwise.
  func expectXCTestFailure(
    _ text: String, isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void,
    file: StaticString = #filePath, line: UInt = #line
  ) async {
    collected = []
    await body()
    let failures = collected
    collected = nil
    XCTAssertEqual(failures, ["\(absolute("\(file)")):\(line): failed - \(text)"])
  }

  /// Checks that a closure reports exactly one failure, with this text, at a place.
  func expectXCTestFailure(_ text: String, at place: String, _ body: () -> Void) {
    collected = []
    body()
    let failures = collected
    collected = nil
    XCTAssertEqual(failures, ["\(absolute(place)): failed - \(text)"])
  }

  /// Returns the absolute path of a file, because XCTest records only those on Apple's platforms.
  private func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }

  #if canImport(ObjectiveC)
    override func record(_ issue: XCTIssue) {
      guard collected != nil else { return super.record(issue) }
      let location = issue.sourceCodeContext.location
      collected?.append("\(location?.fileURL.path ?? ""):\(location?.lineNumber ?? 0): \(issue.compactDescription)")
    }
  #else
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      guard collected != nil else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      collected?.append("\(absolute(filePath)):\(lineNumber): \(description)")
    }
  #endif
}
