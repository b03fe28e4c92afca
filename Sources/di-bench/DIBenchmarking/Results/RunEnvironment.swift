internal import Foundation

/// The machine and the build that rows were measured with.
struct RunEnvironment: Sendable {
  var os = ""
  var cpu = ""
  var cores = 1
  /// Eight hexadecimal digits that identify, but do not name, what must be the same for times to be comparable.
  var hostHash = ""

  static func current() -> RunEnvironment {
    let cores = CoreAffinity.count
    let parts = [hostName, system, processor, "\(cores)", Build.compilerVersion]
    return RunEnvironment(os: system, cpu: processor, cores: cores, hostHash: hash(parts.joined(separator: "\n")))
  }

  /// Eight hexadecimal digits of a text: FNV-1a.
  static func hash(_ text: String) -> String {
    let hash = text.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return String(format: "%08x", hash)
  }

  /// The commit of the repository around a folder, followed by `-dirty` if files differ from it; or `unknown`.
  static func commit(in folder: URL) -> String {
    guard let commit = git(["rev-parse", "--short=8", "HEAD"], in: folder) else { return "unknown" }
    let changes = git(["status", "--porcelain", "--untracked-files=no"], in: folder)
    return changes == "" ? commit : commit + "-dirty"
  }

  /// The hash of a file; nil without git.
  static func program(_ executable: URL) -> String? {
    git(["hash-object", "--no-filters", executable.lastPathComponent], in: executable.deletingLastPathComponent())
  }

  private static func git(_ arguments: [String], in folder: URL) -> String? {
    let git = ChildProcess(executable: URL(fileURLWithPath: "/usr/bin/env"), name: "git")
    var lines: [String] = []
    let run: Void? = try? git.run(["git", "-C", folder.path] + arguments, interrupt: Interrupt()) { lines.append($0) }
    return run.map { lines.joined(separator: "\n") }
  }

  /// From the system, because Foundation looks up the name on the network.
  private static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    unsafe gethostname(&bytes, bytes.count - 1)
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static var system: String {
    let version = ProcessInfo.processInfo.operatingSystemVersionString
    #if os(Linux)
      return "Linux, \(version)"
    #else
      return "macOS, \(version)"
    #endif
  }

  private static var processor: String {
    #if os(Linux)
      let description = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
      let line = description?.split(separator: "\n").first { $0.hasPrefix("model name") }
      let model = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    #else
      var size = 256
      var bytes = [UInt8](repeating: 0, count: size)
      let isKnown = unsafe sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0) == 0
      let model = isKnown ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : nil
    #endif
    #if arch(x86_64)
      return "\(model ?? "unknown") x86-64"
    #elseif arch(arm64)
      return "\(model ?? "unknown") arm64"
    #else
      return "\(model ?? "unknown") other architecture"
    #endif
  }
}
