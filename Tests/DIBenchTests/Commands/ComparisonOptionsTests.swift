internal import DependencyInjection
internal import Foundation
internal import Testing

@testable import DIBenchmarking

struct ComparisonOptionsTests {
  @Test("A build is an executable file, or in a folder or in the build folder of a package, also behind a link")
  func executable() throws {
    try withTemporaryFolder { folder in
      let context = CommandContext(
        terminal: Terminal(output: { _ in }, error: { _ in }), folder: folder, executable: Executables.bench,
        benchmarks: [])
      let find = { (name: String) -> String? in
        let executable = try? ComparisonOptions.executable(name, context)
        return executable.map { $0.path.replacing(folder.resolvingSymlinksInPath().path + "/", with: "") }
      }
      let manager = FileManager.default
      // Neither "text" nor "x/di-bench" is a build: a file that cannot be executed, and a folder.
      for path in ["bin", "package/.build/linux", "x/di-bench"] {
        try manager.createDirectory(at: folder.appending(path: path), withIntermediateDirectories: true)
      }
      try Data().write(to: folder.appending(path: "text"))
      for path in ["old", "bin/di-bench", "package/.build/linux/di-bench"] {
        try makeExecutable("exit", at: folder.appending(path: path).path)
      }
      // The folder of the configuration is a link to that of the platform.
      let link = folder.appending(path: "package/.build/release").path
      try manager.createSymbolicLink(atPath: link, withDestinationPath: "linux")
      let built = "package/.build/linux/di-bench"
      let cases: [(name: String, executable: String?)] = [
        ("old", "old"), ("\(folder.path)/old", "old"), ("bin", "bin/di-bench"), ("package", built),
        ("package/.build/release", built), ("package/.build/release/di-bench", built), ("text", nil), ("x", nil),
        ("none", nil),
      ]
      for (name, executable) in cases { #expect(find(name) == executable, "\(name)") }
    }
  }

  private func rows(taking time: Double) -> [ResultRow] {
    (1...8).flatMap { SampleRows.rows(["container": time], launch: $0) }
  }

  @Test("A comparison has colors if its terminal has them", arguments: [true, false])
  func colors(_ usesColor: Bool) throws {
    let output = Locked("")
    let terminal = Terminal(usesColor: usesColor, output: { text in output.withLock { $0 += text } }, error: { _ in })
    let options = try ComparisonOptions(ParsedArguments())
    let (base, head) = (rows(taking: 1), rows(taking: 2))
    #expect(throws: CommandFailure.self) {
      try options.report(base, [("head", head)], to: CommandContext(terminal: terminal, benchmarks: []))
    }
    #expect(output.withLock { $0.contains("\u{1B}[") } == usesColor)
  }
}
