/// The executables and libraries of the process from which types come.
enum Image {
  /// Returns the file name of an image, in quotes.
  static func name(_ path: String) -> String { "'\(path.split(separator: "/").last ?? "")'" }

  /// Returns the path of the image that declares a type; nil if the runtime has made the type.
  static func path(of type: Any.Type) -> String? { CLibrary.image(at: UInt(bitPattern: ObjectIdentifier(type))) }

  /// Returns the names of the images that declare two types of one name, or parts of them, if these are two images.
  static func images(of one: Any.Type, _ other: Any.Type) -> (String, String)? {
    let (mine, others) = (typeParts(of: one), typeParts(of: other))
    for (one, other) in zip(mine.declarations, others.declarations) where one != other {
      if let one = CLibrary.image(at: one), let other = CLibrary.image(at: other), one != other {
        return (name(one), name(other))
      }
    }
    return zip(mine.types, others.types).lazy.filter { $0 != $1 }.compactMap { images(of: $0, $1) }.first
  }
}
