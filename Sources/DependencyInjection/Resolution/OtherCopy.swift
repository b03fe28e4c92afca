extension DIContainer {
  /// An explanation of the other copy of this library, if there is one: its effect, the binaries of both, and the remedy.
  ///
  /// Each copy has containers and registrations of its own. For a name, the Swift runtime returns the type in the copy
  /// that was loaded first. In that copy, the explanation is nil. In a debug build, every later copy writes its
  /// explanation as a warning when its shared container is first used.
  package static let otherCopyExplanation: String? = {
    let first = _mangledTypeName(DIContainer.self).flatMap(_typeByName)
    guard let first, first != DIContainer.self else { return nil }
    let images = [DIContainer.self, first].compactMap { CLibrary.image(at: UInt(bitPattern: ObjectIdentifier($0))) }
    let names = images.map { "in '\($0.split(separator: "/").last ?? "")'" }.joined(separator: " and ")
    return "there are two copies of DependencyInjection in this process, \(names): what is registered with one is "
      + "missing in the other; link it to one of them only, or as a dynamic library"
  }()
}
