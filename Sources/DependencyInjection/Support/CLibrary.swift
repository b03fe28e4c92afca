#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The functions of the C library that are used in addition to locks and threads.
enum CLibrary {
  /// Returns a function of this process by its name, if there is one; the caller knows its type.
  @unsafe
  static func function<Function>(_ name: String, as _: Function.Type) -> Function? {
    unsafe dlsym(dlopen(nil, RTLD_NOW), name).map { unsafe unsafeBitCast($0, to: Function.self) }
  }

  /// Writes a line to standard error, in one piece, so that lines of several threads do not mix.
  static func writeError(_ line: String) {
    var line = line + "\n"
    // Sound: the bytes stay in place until the call returns.
    line.withUTF8 { _ = unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Returns the value of an environment variable.
  static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
}
