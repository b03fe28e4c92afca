internal import Foundation

/// The runs of a program that were saved under a name in the folder of results, and the last run there.
struct Baseline {
  let context: CommandContext
  private var folder: String { "Results/baselines/\(context.name)" }
  private func path(_ name: String) -> String { context.path("\(folder)/\(name).csv") }

  /// A name without `/` and `.csv` is the name of a baseline; anything else is a file.
  private static func isName(_ text: String) -> Bool { !text.isEmpty && !text.contains("/") && !text.contains(".csv") }

  /// Reads a baseline or a file.
  func rows(_ name: String) throws(CommandFailure) -> [ResultRow] {
    guard Self.isName(name) else { return try ResultFile.read(context.path(name)) }
    if OutputFile(path: path(name)).exists { return try ResultFile.read(path(name)) }
    let hint = "'\(context.name) run --save \(name)' makes it, and './\(name)' would be a file"
    throw CommandFailure(.missingFile, "There is no baseline '\(name)' in \(folder): \(hint)")
  }

  /// Returns the name to save a run under, if there is one; detects early what would fail after a long measurement.
  func newName(_ arguments: ParsedArguments) throws(CommandFailure) -> String? {
    let expected = "a name without '/' and '.csv'"
    guard let name = try arguments.value(of: "save", as: expected, { Self.isName($0) ? $0 : nil }) else { return nil }
    if arguments.has("dry-run") { return name }
    _ = try context.makeFolder(folder)
    try OutputFile.check([OutputFile(path: path(name))], replacing: true)
    return name
  }

  /// Saves the files of a run under a name, and replaces those of an earlier run.
  func save(_ files: [OutputFile], as name: String) throws(CommandFailure) {
    for (file, copy) in zip(files, [path(name), RunDescription.path(beside: path(name))]) {
      guard let text = FileManager.default.contents(atPath: file.path) else {
        throw CommandFailure(.missingFile, "Cannot read '\(file.path)'")
      }
      try OutputFile(path: copy).write(String(decoding: text, as: UTF8.self), replacing: true)
    }
    context.terminal.print("Saved as '\(name)'.")
  }

  /// The newest complete run of an optimized build of this program on this machine, and its name in the folder of results.
  var last: (name: String, rows: [ResultRow])? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: context.path("Results"))) ?? []
    let host = RunEnvironment.current().hostHash
    // Without the extension, which follows the number of another run in the same second.
    for name in names.filter({ $0.hasSuffix(".csv") }).map({ $0.dropLast(4) }).sorted(by: >) {
      let path = context.path("Results/\(name).csv")
      guard name.hasPrefix(context.name), !name.hasSuffix("-base"), !name.hasSuffix("-head"),
        name.dropFirst(context.name.count).prefixMatch(of: /-\d{8}T\d{6}Z-/) != nil,
        RunDescription.read(RunDescription.Outline.self, beside: path)?.interrupted != true,
        let rows = try? ResultFile.read(path), rows.allSatisfy({ $0.hostHash == host && $0.status == .ok })
      else { continue }
      return ("\(name).csv", rows)
    }
    return nil
  }
}
