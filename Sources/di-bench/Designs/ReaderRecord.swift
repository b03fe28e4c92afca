internal import Foundation
internal import Synchronization

/// What a thread shows to writers about what it is reading: for the designs in which writers look for readers.
///
/// There is one per thread, on cache lines of its own. Records are never freed, so writers may walk the list at any
/// time; when a thread ends, the next new one takes its record over.
@safe
struct ReaderRecord: ~Copyable {
  /// How many reads are going on that began in an even epoch.
  let even = Atomic<UInt>(0)

  /// How many reads are going on that began in an odd epoch.
  let odd = Atomic<UInt>(0)

  /// The address of the instance that the thread is about to retain, or 0.
  let hazard = Atomic<UInt>(0)

  private let isTaken = Atomic(true)
  private let next: UnsafeMutablePointer<ReaderRecord>?

  private init(next: UnsafeMutablePointer<ReaderRecord>?) {
    unsafe self.next = next
  }

  /// The address of the first record.
  private static let first = Atomic<UInt>(0)

  /// The record of the calling thread.
  static var current: UnsafeMutablePointer<ReaderRecord> {
    if let record = unsafe pthread_getspecific(key) { return unsafe record.assumingMemoryBound(to: ReaderRecord.self) }
    return unsafe claim()
  }

  /// Calls a closure with each record there is.
  static func forEach(_ body: (borrowing ReaderRecord) -> Void) {
    // Acquiring: a record is initialized before it is in the list. Sound: and never freed.
    var record = unsafe UnsafeMutablePointer<ReaderRecord>(bitPattern: first.load(ordering: .acquiring))
    while let current = unsafe record {
      unsafe body(current.pointee)
      unsafe record = current.pointee.next
    }
  }

  @inline(never)
  private static func claim() -> UnsafeMutablePointer<ReaderRecord> {
    var record = unsafe UnsafeMutablePointer<ReaderRecord>(bitPattern: first.load(ordering: .acquiring))
    while let current = unsafe record {
      if unsafe current.pointee.isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
      {
        unsafe pthread_setspecific(key, current)
        return unsafe current
      }
      unsafe record = current.pointee.next
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
    let new = unsafe memory.bindMemory(to: ReaderRecord.self, capacity: 1)
    var head = first.load(ordering: .relaxed)
    while true {
      unsafe new.initialize(to: ReaderRecord(next: UnsafeMutablePointer(bitPattern: head)))
      // Also acquiring: the record behind this one is read through it.
      let (isIn, seen) = first.compareExchange(
        expected: head, desired: UInt(bitPattern: new), ordering: .acquiringAndReleasing)
      if isIn { break }
      head = seen
    }
    unsafe pthread_setspecific(key, new)
    return unsafe new
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key) { record in
      // The parameter is optional on one platform and not on the other.
      let record: UnsafeMutableRawPointer? = unsafe record
      // Sound: only records are stored under the key.
      unsafe record?.assumingMemoryBound(to: ReaderRecord.self).pointee.isTaken.store(false, ordering: .releasing)
    }
    return key
  }()
}
