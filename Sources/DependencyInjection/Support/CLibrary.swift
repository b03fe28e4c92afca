#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What is asked of the C library beside locks and threads.
enum CLibrary {
  /// A function of this process, if it has one of the name, whose type the caller knows.
  @unsafe
  static func function<Function>(_ name: String, as _: Function.Type) -> Function? {
    unsafe dlsym(dlopen(nil, RTLD_NOW), name).map { unsafe unsafeBitCast($0, to: Function.self) }
  }

  /// Writes a line to standard error, in one piece, so that those of several threads do not mix.
  static func writeError(_ line: String) {
    var line = line + "\n"
    // Sound: the bytes are there until the call returns.
    line.withUTF8 { _ = unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// The value of a variable of the environment.
  static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
}
