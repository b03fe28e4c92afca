internal import Foundation

/// A file that is written as a whole or not at all, and replaces another only on purpose.
struct OutputFile {
  let path: String
  private var name: String { (path as NSString).lastPathComponent }

  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Detects early what would fail after a long measurement, for all files that a command writes.
  static func check(_ files: [OutputFile], replacing: Bool = false) throws(CommandFailure) {
    // Tried, because permissions are not enough: the superuser has them, and a file system may be read-only. All at
    // once, because names do not tell whether they refer to the same file.
    var tried: [OutputFile] = []
    defer { for file in tried { unsafe unlink(file.temporaryPath) } }
    for file in files {
      let isFolder = file.path.hasSuffix("/") || FileManager.default.fileExists(atPath: file.path + "/")
      if isFolder { throw file.failure("it is a folder: name a file in it") }
      if file.name.hasPrefix("-") { throw file.failure("it begins with a dash: name a file, and 'report' prints it") }
      if file.exists, !replacing { throw file.existing }
      close(try file.openTemporary())
      tried.append(file)
    }
  }

  /// Writes the file.
  ///
  /// A hard link, unlike a rename, fails if the name is taken, even if it was taken only a moment ago.
  /// If it cannot be written, nothing is left behind. A file that is replaced is complete at all times.
  func write(_ text: String, replacing: Bool = false) throws(CommandFailure) {
    let descriptor = try openTemporary()
    defer { unsafe unlink(temporaryPath) }
    do {
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: Data(text.utf8))
      try handle.synchronize()
      try handle.close()
    } catch { throw failure(Self.reason(Self.code(of: error))) }
    let isWritten = unsafe replacing ? rename(temporaryPath, path) == 0 : link(temporaryPath, path) == 0
    if !isWritten { throw errno == EEXIST && !replacing ? existing : failure(Self.reason(errno)) }
  }

  /// The place of the text until it is complete: in the same folder, because a link cannot cross file systems.
  private var temporaryPath: String {
    URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: ".\(name).\(getpid()).tmp").path
  }

  private func openTemporary() throws(CommandFailure) -> Int32 {
    let descriptor = unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, 0o644)
    if descriptor >= 0 { return descriptor }
    throw failure(errno == EEXIST ? "two options name it: change one" : Self.reason(errno))
  }

  private var existing: CommandFailure { failure("the file exists already") }

  private func failure(_ reason: String) -> CommandFailure {
    CommandFailure(.cannotWrite, "Cannot write '\(path)': \(reason)")
  }
  static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
  /// The system's error behind one that Foundation throws, which may have changed `errno` since.
  static func code(of error: any Error) -> Int32 {
    ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError).map { Int32(truncatingIfNeeded: $0.code) } ?? errno
  }
}
