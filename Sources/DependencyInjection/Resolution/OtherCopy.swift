/// Finds several copies of one module in the process.
///
/// Those of this library have containers and registrations of their own.
///
/// There are several copies if a test bundle and the app that loads it both link the library statically. The runtime of Swift
/// returns one type for a name, which is that of one of the copies, so this searches the images themselves.
package enum OtherCopy {
  /// A text that is in each copy of the library, and nowhere else.
  private static let marker: StaticString = "This image has a copy of the library DependencyInjection."

  /// The images that have a copy of this library, and the number that changed with them.
  private static let found = Locked<(paths: [String], change: UInt64)>(([], 0))

  /// Returns the paths of the images that have a copy of this library.
  ///
  /// The search takes milliseconds, so it is repeated only if another image was loaded. No lock is held meanwhile: the loader
  /// has locks of its own.
  private static func paths() -> [String] {
    let former = found.withLock { $0 }
    let new = CLibrary.images(with: DIContainer.self, marker: marker, unlessChange: former.change)
    if let new { found.withLock { $0 = new } }
    return (new ?? former).paths
  }

  /// Returns an explanation of the other copies of this library, if there are any: their effect, the binaries of all, and the
  /// remedy.
  package static func explanation() -> String? {
    let own = CLibrary.image(at: UInt(bitPattern: ObjectIdentifier(DIContainer.self)))
    let others = paths().filter { $0 != own }
    if others.isEmpty { return nil }
    let images = ([own].compactMap(\.self) + others).map { name(ofImage: $0) }
    return
      "there are \(images.count == 2 ? "two" : "\(images.count)") copies of DependencyInjection in this process, "
      + "\(images.map { "in \($0)" }.joined(separator: " and ")): what is registered with one is missing in the other; "
      + "link it to one of them only, or as a dynamic library"
  }

  /// Returns the names of the images that declare two types of one name, or parts of them, if these are two images.
  static func images(of one: Any.Type, _ other: Any.Type) -> (String, String)? {
    let (mine, others) = (typeParts(of: one), typeParts(of: other))
    for (one, other) in zip(mine.declarations, others.declarations) where one != other {
      if let one = CLibrary.image(at: one), let other = CLibrary.image(at: other), one != other {
        return (name(ofImage: one), name(ofImage: other))
      }
    }
    return zip(mine.types, others.types).lazy.filter { $0 != $1 }.compactMap { images(of: $0, $1) }.first
  }

  /// Returns the file name of an executable or a library, in quotes.
  private static func name(ofImage path: String) -> String { "'\(path.split(separator: "/").last ?? "")'" }
}
