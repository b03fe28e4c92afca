internal import Foundation
internal import Testing

/// Runs a test with an empty folder, and removes the folder with everything in it.
func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "di-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  // As a process in it finds it: on macOS, a symbolic link leads to it, which `resolvingSymlinksInPath` keeps.
  let path = unsafe realpath(folder.path, nil)
  defer { unsafe free(path) }
  try body(URL(filePath: unsafe String(cString: path!), directoryHint: .isDirectory))
}

/// Writes a script that can be run.
///
/// A shell writes it: if this process opened the file for writing, a child that another test forks at that moment might
/// still have it open, and it could not be executed.
func makeExecutable(_ script: String, at path: String) throws {
  let shell = Process()
  shell.executableURL = URL(filePath: "/bin/sh")
  shell.arguments = ["-c", #"printf '#!/bin/sh\n%s\n' "$1" > "$2" && chmod 755 "$2""#, "sh", script, path]
  try shell.run()
  shell.waitUntilExit()
  #expect(shell.terminationStatus == 0)
}
