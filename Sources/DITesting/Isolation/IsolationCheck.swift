internal import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

/// Fails each test of this target that resolves from the shared container, because it is not isolated.
///
/// For XCTest, in one line of any test case, all of which XCTest creates before the first test:
/// `private let isolation: Void = requireIsolation()`.
///
/// A test that calls `restoreRegistrationsAfterTest()` passes. In Swift Testing, a suite with the trait
/// `.requiresIsolation()` does the same.
///
/// - Parameter fileID: A file of the target.
public func requireIsolation(fileID: StaticString = #fileID) {
  TestRun.watch()
  // XCTest creates a test case for each of its methods.
  guard IsolationCheck.modules.withLock({ $0.insert("\(fileID)".prefix { $0 != "/" }).inserted }) else { return }
  DIContainer.shared.addObserver(IsolationCheck(of: "\(fileID)"))
}

#if canImport(Testing)
  /// Fails each test of a target that resolves from the shared container.
  public struct RequiredIsolationTrait: TestTrait, SuiteTrait {
    fileprivate init() {}
  }

  extension Trait where Self == RequiredIsolationTrait {
    /// Fails each test of this target that resolves from the shared container, because it is not isolated.
    ///
    /// One line in the target is enough:
    ///
    /// ```swift
    /// @Suite(.requiresIsolation()) enum Isolation {}
    /// ```
    ///
    /// - Parameter fileID: A file of the target.
    /// - Returns: The trait.
    public static func requiresIsolation(fileID: StaticString = #fileID) -> Self {
      requireIsolation(fileID: fileID)
      return Self()
    }
  }
#endif

/// Fails tests of a module that resolve from the shared container.
final class IsolationCheck: ResolutionObserver {
  /// The modules that are checked.
  static let modules = Locked<Set<Substring>>([])

  private let module: Substring
  private let failed = Locked<Set<String>>([])

  /// Prepares to check the module of a file.
  init(of fileID: String) { module = fileID.prefix { $0 != "/" } }

  func didResolve(_ resolution: ResolutionEvent) {
    check(resolution.asked, resolution.pathAndPlace, resolution.location)
  }

  func didNotResolve(_ resolution: ResolutionEvent) { didResolve(resolution) }

  func willTrap(_ error: ResolutionError) { check(error.path.last ?? "", "\(error.location)", error.location) }

  /// Fails the running test, once.
  private func check(_ asked: String, _ place: String, _ location: DependencyInjection.SourceLocation) {
    guard DIContainer.bound == nil, !Pledge.isGiven, let test = TestFramework.nameOfTest, isOfModule,
      failed.withLock({ $0.insert(test).inserted })
    else { return }
    report(
      """
      '\(asked)' was resolved from the shared container by a test that is not isolated.
        \(place)
        test       \(test)
        note       add `.isolatedContainer` to the suite, or inherit from `DITestCase`
      """, at: FailureLocation(of: nil, or: location))
  }

  private var isOfModule: Bool {
    #if canImport(Testing)
      if let test = Test.current { return test.sourceLocation.fileID.hasPrefix("\(module)/") }
    #endif
    return TestRun.module == module
  }
}
