/// A check for other copies of this library in the process, which have containers and registrations of their own.
///
/// There are several copies if a test bundle and the app that loads it both link the library statically. The runtime of Swift
/// returns one type for a name, which is that of one of the copies, so this searches the images themselves.
package enum OtherCopy {
  /// A text that is in each copy of the library, and nowhere else.
  private static let marker: StaticString = "This image has a copy of the library DependencyInjection."

  /// The images that were found when there were so many images in the process.
  private static let found = Locked<(count: UInt64, images: [String])>((0, []))

  /// The images that have a copy.
  ///
  /// The search takes milliseconds, so it is repeated only if another image was loaded.
  private static var images: [String] {
    let count = CLibrary.imageCount
    let former = found.withLock { $0 }
    if former.count == count, count != 0 { return former.images }
    let images = CLibrary.images(with: DIContainer.self, marker: marker)
    found.withLock { $0 = (count, images) }
    return images
  }

  /// Returns an explanation of the other copies, if there are any: their effect, the binaries of all, and the remedy.
  package static func explanation() -> String? {
    let own = Image.path(of: DIContainer.self)
    let others = images.filter { $0 != own }
    if others.isEmpty { return nil }
    let images = ([own].compactMap(\.self) + others).map { Image.name($0) }
    return
      "there are \(images.count == 2 ? "two" : "\(images.count)") copies of DependencyInjection in this process, "
      + "\(images.map { "in \($0)" }.joined(separator: " and ")): what is registered with one is missing in the other; "
      + "link it to one of them only, or as a dynamic library"
  }
}
