/// Reference counting by address.
///
/// In functions that are never inlined: the optimizer may move a plain retain below the store that ends a reader's
/// protection, where the instance may be gone. A call it leaves where it is.
enum Reference {
  /// The address of an instance.
  static func address(of instance: Specimen) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(instance).toOpaque())
  }

  /// Takes over a reference that the caller owns.
  @inline(__always)
  static func owned(_ address: UInt) -> Specimen {
    // Sound: every caller passes the address of a probe of which it owns a reference.
    unsafe unmanaged(address).takeRetainedValue()
  }

  /// Reads an instance of which the caller owns a reference.
  @inline(__always)
  static func pair(at address: UInt) -> Pair {
    // Sound: as above; the caller gives its reference up later.
    unsafe unmanaged(address)._withUnsafeGuaranteedRef { $0.pair }
  }

  /// Retains an instance that something else keeps alive meanwhile.
  @inline(never)
  static func retain(_ address: UInt) {
    // Sound: every caller is protected by its design.
    _ = unsafe unmanaged(address).retain()
  }

  /// Retains an instance many times, a multiple of eight.
  @inline(never)
  static func retain(_ address: UInt, count: Int) {
    let instance = unsafe unmanaged(address)
    // Sound: as above. In a row they become one addition to the reference count.
    for _ in 0..<count / 8 {
      _ = unsafe instance.retain().retain().retain().retain().retain().retain().retain().retain()
    }
  }

  /// Releases an instance as often as the caller owns references.
  @inline(never)
  static func release(_ address: UInt, count: Int = 1) {
    let instance = unsafe unmanaged(address)
    for _ in 0..<count / 8 {
      // Sound: the caller owns all of them.
      unsafe instance.release()
      unsafe instance.release()
      unsafe instance.release()
      unsafe instance.release()
      unsafe instance.release()
      unsafe instance.release()
      unsafe instance.release()
      unsafe instance.release()
    }
    for _ in 0..<count % 8 { unsafe instance.release() }
  }

  @inline(__always)
  private static func unmanaged(_ address: UInt) -> Unmanaged<Specimen> {
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }
}
