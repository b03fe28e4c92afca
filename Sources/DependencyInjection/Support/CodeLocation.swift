/// A location in source code: the module-relative file and the line of a call.
///
/// Functions of this library and of `DITesting` take it as `file` or `fileID`, `filePath`, `line` and `column`, for
/// messages. Leave these parameters out: by default, they are the location of the caller.
@frozen
public struct CodeLocation: Sendable, CustomStringConvertible {
  /// The file, in the form of `#fileID`: `Module/File.swift`.
  public let file: StaticString

  // Each registration stores a location. A number of this size fits into the padding after the file.
  @usableFromInline
  let lineNumber: UInt32

  /// The line, counted from 1.
  public var line: UInt { UInt(lineNumber) }

  /// Creates a location, by default that of the call.
  @_transparent
  @usableFromInline
  package init(file: StaticString = #fileID, line: UInt = #line) {
    self.file = file
    lineNumber = line <= UInt(UInt32.max) ? UInt32(line) : .max
  }

  /// The location as compilers print it: `Module/File.swift:12`.
  public var description: String { "\(file):\(line)" }
}

extension Int {
  /// Returns the number followed by a noun in the right form: `1 problem`, `2 problems`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
