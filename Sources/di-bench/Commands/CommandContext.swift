internal import Foundation

/// What a command works with; tests put other things in.
struct CommandContext: Sendable {
  var terminal = Terminal.standard

  /// The folder that relative paths start from.
  var folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)

  /// The folder of this executable and of those that it starts.
  var executables = Executables.folder

  var scenarios = Scenario.all + Scenario.designs
  var probes = Probe.all
  var isDebug = Build.isDebug

  /// The path of a file that the user named.
  func path(_ name: String) -> String {
    name.hasPrefix("/") ? name : folder.appending(path: name).path
  }
}
