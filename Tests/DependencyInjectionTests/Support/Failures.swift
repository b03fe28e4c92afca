internal import DependencyInjection
internal import Testing

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

#if !os(macOS) && !os(Linux)
  #error("These tests start processes, which only macOS and Linux allow; `.ci/run simulator` runs others.")
#endif

/// The error that a closure throws, if it throws one.
func failure<Result>(of body: () throws -> Result) -> ResolutionError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? ResolutionError
  }
}

/// The error that an asynchronous closure throws, if it throws one.
func asyncFailure<Result>(of body: () async throws -> Result) async -> ResolutionError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? ResolutionError
  }
}

extension ResolutionError {
  /// The code and the path, in one line.
  var brief: String { "\(code): \(path.joined(separator: " "))" }
}

/// Where a test expects something to be reported: this file at a line.
func place(_ line: Int, file: String = #fileID) -> String { "\(file):\(line)" }

/// The warning about the registration of an optional type, in this file at a line.
func optionalWarning(_ type: String, _ line: Int, file: String = #fileID) -> String {
  let wrapped = type.prefix { $0 != "?" }
  return "warning: '\(type)' is registered at \(place(line, file: file)), but never resolved: '\(type)' asks for "
    + "'\(wrapped)'. Unwrap it first, or register '\(wrapped)'."
}

extension ExitTest.Result {
  /// What the process wrote before it ended.
  var message: String { String(decoding: standardErrorContent, as: UTF8.self) }

  /// The warnings of the library among that.
  var warnings: [String] { message.split(separator: "\n").filter { $0.hasPrefix("warning: ") }.map { String($0) } }

  /// The line at which the process said that it would trap.
  var expectedLine: Int {
    let digits = message.components(after: "It should trap at line ").prefix { $0.isNumber }
    return Int(digits) ?? 0
  }

  /// Returns whether the process trapped with a text at the line that it said, in this file.
  func trapped(with text: String, file: String = #fileID) -> Bool {
    message.contains("\(place(expectedLine, file: file)): Fatal error: \(text)")
  }
}

extension String {
  fileprivate func components(after marker: String) -> Substring {
    firstRange(of: marker).map { self[$0.upperBound...] } ?? ""
  }
}

/// Prints, in a process that is going to trap, the line of the expected trap.
///
/// In the process and not in the test, because lines do not count in the closure of an exit test.
func expectTrap(atLine line: Int) {
  let text = Array("It should trap at line \(line)\n".utf8)
  _ = unsafe write(2, text, text.count)
}

/// Ends the process of an exit test with success.
func endProcess() -> Never { exit(EXIT_SUCCESS) }
