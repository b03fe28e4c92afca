internal import DependencyInjection

#if canImport(XCTest)
  internal import XCTest
#endif
#if canImport(ObjectiveC)
  internal import Dispatch
  internal import Foundation
#endif

/// The test that XCTest is running, as reported to its observers.
///
/// XCTest runs one test at a time in a process.
enum TestRun {
  private static let state = Locked(State())

  private struct State {
    /// A Boolean value that indicates whether the observer has been added.
    var isObserved = false

    var isRunning = false
    var name: String?
    var module: Substring?
    var isIsolated = false
    var atEnd: [@Sendable () -> Void] = []

    /// The bindings when the test began; nil if the observer was added later.
    var bound: Bound?
  }

  /// The isolation, and the container that was made current.
  private typealias Bound = (test: IsolatedTest?, container: DIContainer?)

  /// A Boolean value that indicates whether XCTest is running tests.
  static var isRunning: Bool { state.withLock(\.isRunning) }

  /// The name of the running test; nil if there is none.
  static var name: String? { state.withLock(\.name) }

  /// The module of the running test; nil if there is none.
  static var module: Substring? { state.withLock(\.module) }

  /// A Boolean value that indicates whether the running test gets a container of its own.
  static var isIsolated: Bool { state.withLock(\.isIsolated) }

  /// Watches the tests, and their changes to the shared container, from now on.
  static func watch() {
    SharedContainer.watch()
    #if canImport(XCTest)
      observe()
    #endif
  }

  /// Calls a closure at the end of the running test, after its `tearDown`; the last closure is called first.
  static func atEndOfTest(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.atEnd.append(body) }
    #if canImport(XCTest) && canImport(ObjectiveC)
      // The observer has to exist when the test ends. An asynchronous `setUp` leaves the main thread free to add it.
      if !Thread.isMainThread, !state.withLock(\.isObserved) { DispatchQueue.main.sync {} }
    #endif
  }

  #if canImport(XCTest)
    private static let observer: Void = {
      XCTestObservationCenter.shared.addTestObserver(Observer())
      state.withLock { $0.isObserved = true }
    }()

    // On Apple's platforms, the protocol is an Objective-C protocol, and XCTest raises an exception if an observer is
    // added off the main thread. Traits of Swift Testing run on other threads, for which the main thread may wait.
    #if canImport(ObjectiveC)
      private class Base: NSObject {}

      private static func observe() {
        if Thread.isMainThread {
          _ = observer
        } else if !state.withLock(\.isObserved) {
          // If the main thread has ended, there are no XCTest tests.
          DispatchQueue.main.async { if Thread.isMainThread { _ = observer } }
        }
      }
    #else
      private class Base {}

      private static func observe() { _ = observer }
    #endif

    private final class Observer: Base, XCTestObservation {
      func testSuiteWillStart(_ testSuite: XCTestSuite) { begin() }
      func testSuiteDidFinish(_ testSuite: XCTestSuite) { end() }
      func testCaseWillStart(_ testCase: XCTestCase) {
        begin(testCase.name, of: String(reflecting: type(of: testCase)), isIsolated: testCase is DITestCase)
      }
      func testCaseDidFinish(_ testCase: XCTestCase) { endTest() }
    }
  #endif

  /// Notes that tests begin, or one of them.
  ///
  /// - Parameters:
  ///   - name: The name of the test; nil if none begins yet.
  ///   - type: Its class, with the module.
  ///   - isIsolated: A Boolean value that indicates whether it gets a container of its own.
  static func begin(_ name: String? = nil, of type: String? = nil, isIsolated: Bool = false) {
    if let name { IsolationCheck.forget(name) }
    let bound = bound
    state.withLock { state in
      state.isRunning = true
      state.bound = bound
      state.name = name
      state.module = type?.prefix { $0 != "." }
      state.isIsolated = isIsolated
    }
  }

  /// Ends the tests of a class, after its teardown, or those of the process.
  static func end() {
    RestorableChanges.makeReports()
    state.withLock { $0.isRunning = false }
  }

  /// Ends the test: abandons what it left unfinished on this thread, and calls the closures that wait for its end.
  static func endTest() {
    DIContainer.forgetFactories()
    endScopes()
    let atEnd = state.withLock { state in
      defer { (state.name, state.module, state.isIsolated, state.atEnd) = (nil, nil, false, []) }
      return state.atEnd
    }
    for body in atEnd.reversed() { body() }
  }

  private static var bound: Bound { (IsolatedTest.current, DIContainer.bound) }

  /// Ends the scopes whose frames an exception has skipped, so that no later test runs in them.
  private static func endScopes() {
    // The scopes of a task end with it.
    guard unsafe withUnsafeCurrentTask(body: { unsafe $0 == nil }), let pop = popTaskLocalValue else { return }
    guard let before = state.withLock({ $0.bound.take() }) else { return }
    while true {
      let (test, container) = bound
      let isInTest = test != nil && test !== before.test
      if !isInTest, container == nil || container == before.container { return }
      if isInTest, let test { ActiveTests.abandon(test) }
      // Sound: there is a binding, because one of the values is bound.
      pop()
    }
  }

  /// The runtime's function that ends the innermost binding of a task-local value; nil if the program exports no names, as
  /// on Linux, where nothing skips frames.
  private static let popTaskLocalValue: (@convention(c) () -> Void)? =
    // Sound: it takes and returns nothing, which is the same in Swift and C.
    unsafe CLibrary.function("swift_task_localValuePop", as: (@convention(c) () -> Void).self)
}
