/// A place in source code: the module-relative file and the line of a call.
public struct CodeLocation: Sendable, CustomStringConvertible {
  /// The file, in the form of `#fileID`: `Module/File.swift`.
  public let file: StaticString

  /// The line, counted from 1.
  public let line: UInt

  /// Creates a location, by default that of the call.
  package init(file: StaticString = #fileID, line: UInt = #line) {
    self.file = file
    self.line = line
  }

  /// The location as compilers print it: `Module/File.swift:12`.
  public var description: String { "\(file):\(line)" }
}
