internal import Foundation

/// What a command works with; tests put other things in.
struct CommandContext: Sendable {
  var terminal = Terminal.standard

  /// The folder that relative paths start from.
  var folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)

  /// The folder of this executable and of those that it starts.
  var executables = Executables.folder

  var scenarios = Scenario.all
  var probes = Probe.all
  var isDebug = Build.isDebug

  /// What tells commands to stop early.
  var interrupt = Interrupt()

  /// Makes what is put under stress.
  var makeStressTarget: @Sendable () -> any StressTarget = { StressContainer() }

  /// How launches are carried out.
  var launcher = Launcher.process(Executables.folder.appending(path: Tool.name))

  /// The path of a file that the user named.
  func path(_ name: String) -> String {
    name.hasPrefix("/") ? name : folder.appending(path: name).path
  }

  /// The path of the folder for results, which is made if it is not there.
  ///
  /// - Throws: A failure if it cannot be made.
  func resultsFolder() throws(CommandFailure) -> String {
    let folder = path("Results")
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(.cannotWrite, "Cannot create the folder '\(folder)'")
    }
    return folder
  }
}
