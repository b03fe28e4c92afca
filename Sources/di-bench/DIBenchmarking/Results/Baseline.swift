internal import Foundation

/// Runs that are kept under a name in the folder of results, and the last run there.
struct Baseline {
  let context: CommandContext
  private func path(_ name: String) -> String { context.path("Results/baselines/\(name).csv") }

  func file(_ name: String) -> String {
    let (own, baseline) = (context.path(name), path(name))
    let isBaseline = !name.contains("/") && FileManager.default.fileExists(atPath: baseline)
    return isBaseline && !FileManager.default.fileExists(atPath: own) ? baseline : own
  }

  func rows(_ name: String) throws(CommandFailure) -> [ResultRow] {
    guard FileManager.default.fileExists(atPath: path(name)) else {
      throw CommandFailure(
        .missingFile,
        "There is no baseline '\(name)' in Results/baselines: '\(context.name) run --save \(name)' makes it")
    }
    return try ResultFile.read(path(name))
  }

  static func name(_ arguments: ParsedArguments, _ option: String) throws(CommandFailure) -> String? {
    try arguments.value(of: option, as: "a name without '/'") { $0.isEmpty || $0.contains("/") ? nil : $0 }
  }

  /// Keeps the files of a run under a name; those of an earlier run are replaced.
  func save(_ output: OutputFile, as name: String) throws(CommandFailure) {
    try? FileManager.default.createDirectory(
      atPath: context.path("Results/baselines"), withIntermediateDirectories: true)
    for suffix in [".csv", ".json"] {
      let text = FileManager.default.contents(atPath: output.path.replacing(/\.csv$/, with: "") + suffix) ?? Data()
      let copy = OutputFile(path: path(name).replacing(/\.csv$/, with: "") + suffix)
      try copy.write(String(decoding: text, as: UTF8.self), replacing: true)
    }
    context.terminal.print("Saved as '\(name)'.")
  }

  /// The newest run of this program on this machine in the folder of results, and the name of its file; nil if none.
  var last: (name: String, rows: [ResultRow])? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: context.path("Results"))) ?? []
    let host = RunEnvironment.current().hostHash
    for name in names.sorted(by: >) where name.hasPrefix(context.name + "-2") && name.hasSuffix(".csv") {
      guard !name.hasSuffix("-base.csv"), !name.hasSuffix("-head.csv"),
        let rows = try? ResultFile.read(context.path("Results/" + name)), rows[0].hostHash == host
      else { continue }
      return (name, rows)
    }
    return nil
  }
}
