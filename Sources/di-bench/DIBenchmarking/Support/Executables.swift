package import Foundation

/// Where programs are.
package enum Executables {
  /// This executable.
  static let own = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
    .resolvingSymlinksInPath()

  /// The folder of this executable: the build puts the others beside it.
  package static let folder = own.deletingLastPathComponent()
}
