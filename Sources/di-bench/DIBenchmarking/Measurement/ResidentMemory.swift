internal import Foundation

/// The memory that the process uses.
package enum ResidentMemory {
  /// The bytes that are in memory now or, where that is unknown, the most that ever were.
  package static var current: Int {
    #if os(Linux)
      // Pages: the whole address space, then what is in memory.
      let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
      return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    #else
      var usage = rusage()
      unsafe getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #endif
  }
}
