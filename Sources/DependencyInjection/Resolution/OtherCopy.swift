/// A check for other copies of this library in the process, which have containers and registrations of their own.
///
/// There are several copies if a test bundle and the app that loads it both link the library statically. The runtime of Swift
/// returns one type for a name, which is that of one of the copies, so this searches the images themselves.
package enum OtherCopy {
  /// A text that is in each copy of the library, and nowhere else.
  private static let marker: StaticString = "This image has a copy of the library DependencyInjection."

  /// An explanation of the other copies, if there are any: their effect, the binaries of all, and the remedy.
  ///
  /// The search takes milliseconds, so there is only one: at the first error, or in the first test.
  package static let explanation: String? = {
    let own = Image.path(of: DIContainer.self)
    let others = CLibrary.images(with: DIContainer.self, marker: marker).filter { $0 != own }
    if others.isEmpty { return nil }
    let images = ([own].compactMap(\.self) + others).map { Image.name($0) }
    return
      "there are \(images.count == 2 ? "two" : "\(images.count)") copies of DependencyInjection in this process, "
      + "\(images.map { "in \($0)" }.joined(separator: " and ")): what is registered with one is missing in the other; "
      + "link it to one of them only, or as a dynamic library"
  }()
}
