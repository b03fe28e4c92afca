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

  /// The value of a variable of the environment.
  static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
}
