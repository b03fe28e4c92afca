internal import Foundation

/// The environment of a command, which tests replace.
package struct CommandContext: Sendable {
  package var terminal: Terminal
  var folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
  /// This executable, which is started again for launches and for samples in processes of their own.
  var executable = ChildProcess.own
  var benchmarks: [Benchmark]
  var probes: [Probe] = []
  var commands: [CommandSpecification] = []
  var isDebug = Build.isDebug
  package var interrupt = Interrupt()
  var launcher = Launcher.process(ChildProcess.own)

  package var name: String { executable.lastPathComponent }
  func path(_ name: String) -> String { name.hasPrefix("/") ? name : "\(folder.path)/\(name)" }

  /// Returns the path of a folder, which is created if it does not exist.
  func makeFolder(_ name: String) throws(CommandFailure) -> String {
    let folder = path(name)
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch { throw CommandFailure(.cannotWrite, "Cannot create the folder '\(folder)'") }
    return folder
  }
}
