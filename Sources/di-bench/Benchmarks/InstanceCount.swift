internal import Foundation

/// Counts the instances that each thread creates.
///
/// Each thread has a counter of its own, because a shared one would add contention to what is measured.
enum InstanceCount {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key) { memory in
      // The parameter is optional on one platform and not on the other.
      let memory: UnsafeMutableRawPointer? = unsafe memory
      unsafe memory?.deallocate()
    }
    return key
  }()

  /// The counter of the calling thread, which is freed when the thread ends.
  private static var counter: UnsafeMutablePointer<Int> {
    if let memory = unsafe pthread_getspecific(key) { return unsafe memory.assumingMemoryBound(to: Int.self) }
    // 128 bytes apart, two cache lines: counters of different threads do not slow each other.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
    unsafe pthread_setspecific(key, memory)
    let counter = unsafe memory.bindMemory(to: Int.self, capacity: 1)
    unsafe counter.initialize(to: 0)
    return unsafe counter
  }

  /// The number of instances that the calling thread has created.
  static var current: Int { unsafe counter.pointee }

  @discardableResult static func add() -> Int {
    let counter = unsafe counter
    unsafe counter.pointee &+= 1
    return unsafe counter.pointee
  }
}
