#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The memory that the process uses.
enum ResidentMemory {
  /// A Boolean value that indicates whether it can be measured, and means something: sanitizers keep what is freed.
  static var isMeaningful: Bool { bytes != nil && !isSanitized }

  /// The bytes of the process that are in memory, if the system tells.
  static var bytes: Int? {
    #if os(Linux)
      let file = unsafe open("/proc/self/statm", O_RDONLY)
      guard file >= 0 else { return nil }
      defer { close(file) }
      // Sound: as many bytes are initialized as `read` says.
      let text = unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer -> String in
        let count = unsafe read(file, buffer.baseAddress!, 256)
        return unsafe String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
      }
      let fields = text.split(separator: " ")
      return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    #else
      return nil
    #endif
  }

  private static var isSanitized: Bool {
    unsafe dlsym(dlopen(nil, RTLD_NOW), "__asan_init") != nil || dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
  }
}
