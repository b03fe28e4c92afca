internal import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

/// Fails each test of this target that resolves from the shared container, because it is not isolated.
///
/// In XCTest, add this property to any one test case: `private let isolation: Void = requireIsolation()`. XCTest
/// creates all test cases before the first test.
///
/// A test that calls `restoreRegistrationsAfterTest()` passes. In Swift Testing, use the trait `.requiresIsolation()`.
///
/// - Parameters:
///   - fileID: The caller's file, which identifies the target.
///   - filePath: The caller's file.
///   - line: The caller's line.
public func requireIsolation(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) {
  TestRun.watch()
  IsolationCheck.begin(IsolationCheck(at: FailureLocation(fileID, filePath, line, 1)))
}

#if canImport(Testing)
  /// Fails each test of a target that resolves from the shared container.
  public struct RequiredIsolationTrait: TestTrait, SuiteTrait {
    fileprivate init() {}
  }

  extension Trait where Self == RequiredIsolationTrait {
    /// Fails each test of this target that resolves from the shared container, because it is not isolated.
    ///
    /// If Swift Testing repeats a test in the same process, only its first run fails. One line in the target is enough:
    ///
    /// ```swift
    /// @Suite(.requiresIsolation()) enum Isolation {}
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, which identifies the target.
    ///   - filePath: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The trait.
    public static func requiresIsolation(
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
    ) -> Self {
      requireIsolation(fileID: fileID, filePath: filePath, line: line)
      return Self()
    }
  }
#endif

/// Fails tests of a module that resolve from the shared container.
final class IsolationCheck: ResolutionObserver {
  private static let checks = Locked<[IsolationCheck]>([])

  /// Begins a check, unless its module already has one.
  static func begin(_ check: IsolationCheck) {
    // XCTest creates a test case for each of its methods.
    let isFirst = checks.withLock { checks in
      if checks.contains(where: { $0.module == check.module }) { return false }
      checks.append(check)
      return true
    }
    if isFirst { DIContainer.shared.addObserver(check) }
  }

  /// Lets a test fail again: XCTest may repeat it in the same process and count only the last run.
  static func forget(_ test: String) {
    for check in checks.withLock({ $0 }) { check.failed.withLock { _ = $0.remove(test) } }
  }

  /// Checks a removal from the shared container, which observers do not see.
  static func checkChange() {
    for check in checks.withLock({ $0 }) { check.check(changed) }
  }

  private static let changed = "The shared container was changed during a test that is not isolated."

  /// The location that requires the isolation.
  private let place: FailureLocation

  private let failed = Locked<Set<String>>([])

  /// The number of the container to check.
  private let container: Int

  /// Prepares to check the module of a location.
  init(at place: FailureLocation, in container: DIContainer = .shared) {
    (self.place, self.container) = (place, container.registry.number)
  }

  /// The module to check.
  var module: Substring { place.code.module }

  func didResolve(_ resolution: ResolutionEvent, for _: Definition?, from _: Definition?) {
    // Copies and children have the same observers. This container answers for what a child does not register.
    guard resolution.container == container || resolution.answer?.container == container else { return }
    check(resolution.asked, resolution.pathAndPlace)
  }

  func didNotResolve(_ resolution: ResolutionEvent) { didResolve(resolution, for: nil, from: nil) }

  func willTrap(_ error: ResolutionError) { check(error.path.last ?? "", "\(error.location)") }

  func didChange(_: Set<Key>, replacing _: Set<Key>, in container: DIContainer) {
    if container.registry.number == self.container { check(Self.changed) }
  }

  private func check(_ asked: String, _ asker: String) {
    check("'\(asked)' was resolved from the shared container during a test that is not isolated.\n  \(asker)")
  }

  /// Fails the running test, once.
  private func check(_ what: String) {
    guard DIContainer.bound == nil, !RestorableChanges.exist, let test = TestFramework.nameOfTest, isOfModule,
      !isOfIsolatedTest, failed.withLock({ $0.insert(test).inserted })
    else { return }
    report(
      """
      \(what)
        test       \(test)
        note       add `.isolatedContainer` to the suite, or inherit from `DITestCase`
        note       code that is meant to use the shared container names it, as in `DIContainer.withCurrent(.shared)`
      """, at: FailureLocation(of: nil, or: place))
  }

  /// A Boolean value that indicates whether XCTest is running an isolated test whose container the code has lost.
  private var isOfIsolatedTest: Bool { !TestFramework.isInSwiftTesting && ActiveTests.current != nil }

  private var isOfModule: Bool {
    #if canImport(Testing)
      if let test = Test.current { return test.sourceLocation.fileID.hasPrefix("\(module)/") }
    #endif
    return TestRun.module == module
  }
}
