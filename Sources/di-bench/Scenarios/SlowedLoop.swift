/// A loop; in a build with `DI_SLOWED`, which `.ci/gate` makes, a quarter slower than it could be.
///
/// It proves that a regression of this size is noticed.
@inline(__always)
func slowedOnRequest<Body: Loop>(_ loop: Body) -> some Loop {
  #if DI_SLOWED
    SlowedLoop(base: loop)
  #else
    loop
  #endif
}

#if DI_SLOWED
  /// Does a quarter more than it is asked for.
  private struct SlowedLoop<Body: Loop>: Loop {
    let base: Body

    var registrations: Int? { base.registrations }

    func run(_ operations: Int, thread: Int) throws(Violation) {
      try base.run(operations, thread: thread)
      try base.run(max(1, operations / 4), thread: thread)
    }
  }
#endif
