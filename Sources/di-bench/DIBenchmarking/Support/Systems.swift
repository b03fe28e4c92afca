#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
  #error("di-bench starts processes, which this system does not allow: build DependencyInjection and DITesting only.")
#endif
