internal import DependencyInjection

#if canImport(XCTest)
  internal import XCTest
#endif
#if canImport(ObjectiveC)
  internal import Dispatch
  internal import Foundation
#endif

/// The test that XCTest runs at this moment, as its observers are told.
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
    var atEnd: [@Sendable () -> Void] = []

    /// What was bound when the test began; nil if the observer has come later.
    var bound: Bound?
  }

  /// The isolation, and the container that was made current.
  private typealias Bound = (test: IsolatedTest?, container: DIContainer?)

  /// A Boolean value that indicates whether XCTest runs tests.
  static var isRunning: Bool { state.withLock(\.isRunning) }

  /// The name of the test that runs; nil if none does.
  static var name: String? { state.withLock(\.name) }

  /// The module of the test that runs; nil if none does.
  static var module: Substring? { state.withLock(\.module) }

  /// Watches the tests, and their changes of the shared container, from now on.
  static func watch() {
    SharedContainer.watch()
    #if canImport(XCTest)
      observe()
    #endif
  }

  /// Calls a closure when the test that runs is over, after its `tearDown`; the last one first.
  static func atEndOfTest(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.atEnd.append(body) }
    #if canImport(XCTest) && canImport(ObjectiveC)
      // The observer has to be there when the test ends. An asynchronous `setUp` leaves the main thread free to add it.
      if !Thread.isMainThread, !state.withLock(\.isObserved) { DispatchQueue.main.sync {} }
    #endif
  }

  #if canImport(XCTest)
    private static let observer: Void = {
      XCTestObservationCenter.shared.addTestObserver(Observer())
      state.withLock { $0.isObserved = true }
    }()

    // On Apple's platforms, the protocol is one of Objective-C, and XCTest raises an exception if an observer is added on
    // another thread than the main one. Traits of Swift Testing run on other threads, for which the main one may wait.
    #if canImport(ObjectiveC)
      private class Base: NSObject {}

      private static func observe() {
        if Thread.isMainThread {
          _ = observer
        } else if !state.withLock(\.isObserved) {
          // If the main thread has ended, there are no tests of XCTest.
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
        begin(testCase.name, of: String(reflecting: type(of: testCase)))
      }
      func testCaseDidFinish(_ testCase: XCTestCase) { endTest() }
    }
  #endif

  /// Notes that tests begin, or one of them.
  ///
  /// - Parameters:
  ///   - name: The name of the test; nil if none begins yet.
  ///   - type: Its class, with the module.
  static func begin(_ name: String? = nil, of type: String? = nil) {
    if let name { IsolationCheck.forget(name) }
    let bound = bound
    state.withLock { state in
      state.isRunning = true
      state.bound = bound
      state.name = name
      state.module = type?.prefix { $0 != "." }
    }
  }

  /// Ends the tests of a class, after its teardown, or those of the process.
  static func end() {
    RestorableChanges.makeReports()
    state.withLock { $0.isRunning = false }
  }

  /// Ends the test: abandons what it has left unfinished on this thread, and calls what waits for its end.
  static func endTest() {
    DIContainer.forgetFactories()
    endScopes()
    let atEnd = state.withLock { state in
      defer { (state.name, state.module, state.atEnd) = (nil, nil, []) }
      return state.atEnd
    }
    for body in atEnd.reversed() { body() }
  }

  private static var bound: Bound { (IsolatedTest.current, DIContainer.bound) }

  /// Ends the scopes whose frames an exception has skipped, so that no later test is in them.
  private static func endScopes() {
    // A task takes its own with it.
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
