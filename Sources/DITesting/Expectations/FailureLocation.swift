internal import DependencyInjection

#if canImport(Testing)
  public import Testing

  /// A location in a test, such as `#_sourceLocation`.
  public typealias TestLocation = Testing.SourceLocation
#else
  /// A location in a test of Swift Testing; without that framework, there is none.
  public enum TestLocation: Sendable {}
#endif

/// The location at which a failure is shown: a call of this library, or the test.
struct FailureLocation: Sendable, CustomStringConvertible {
  /// The file's identifier and the line.
  let code: CodeLocation

  let filePath: StaticString
  let column: Int

  /// The location of a call, or the one that the call passes on.
  init(
    _ fileID: StaticString = #fileID, _ filePath: StaticString = #filePath, _ line: UInt = #line,
    _ column: UInt = #column, _ sourceLocation: TestLocation? = nil
  ) {
    #if canImport(Testing)
      if let sourceLocation {
        self.init(sourceLocation)
        return
      }
    #endif
    self.init(CodeLocation(file: fileID, line: line), filePath, Int(column))
  }

  private init(_ code: CodeLocation, _ filePath: StaticString, _ column: Int) {
    (self.code, self.filePath, self.column) = (code, filePath, column)
  }

  #if canImport(Testing)
    /// The location of a test of Swift Testing.
    init(_ location: Testing.SourceLocation) {
      let code = CodeLocation(file: .literal(location.fileID), line: UInt(location.line))
      self.init(code, .literal(location.filePath), location.column)
    }
  #endif

  /// The location of a test, for failures that occur elsewhere: its path is known, so that editors can open it.
  ///
  /// - Parameters:
  ///   - test: The test; nil for the running one.
  ///   - location: The location of the failure, whose path is not known; used if the location of the test is not known.
  init(of test: IsolatedTest?, or location: CodeLocation) {
    self.init(of: test, or: Self(location, location.file, 1))
  }

  /// The location of a test, or else another location.
  init(of test: IsolatedTest?, or other: Self) {
    if let place = test?.place {
      self = place
      return
    }
    #if canImport(Testing)
      if let test = Test.current {
        self.init(test.sourceLocation)
        return
      }
    #endif
    self = DIContainer.current.recorder?.test.place ?? other
  }

  /// The location as compilers print it.
  var description: String { "\(code)" }
}

extension CodeLocation {
  /// The module of the code.
  var module: Substring { "\(file)".prefix { $0 != "/" } }
}

extension StaticString {
  private static let literals = Locked<[String: StaticString]>([:])

  /// Returns a string as a literal, the only form of a path that XCTest accepts; it stays in memory.
  fileprivate static func literal(_ text: String) -> StaticString {
    literals.withLock { literals in
      if let literal = literals[text] { return literal }
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
      _ = unsafe bytes.initialize(from: text.utf8)
      // The stored properties of a static string: the address, the number of bytes, and no flag, for a pointer to UTF-8.
      let address = UInt(bitPattern: bytes.baseAddress)
      let literal = unsafe unsafeBitCast((address, text.utf8.count, UInt8(0)), to: StaticString.self)
      literals[text] = literal
      return literal
    }
  }
}
