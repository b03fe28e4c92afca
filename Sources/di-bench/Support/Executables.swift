internal import Foundation

/// Where the programs are that this one starts.
enum Executables {
  /// The folder of this executable: the build puts the others beside it.
  static let folder = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
    .resolvingSymlinksInPath().deletingLastPathComponent()
}
