/// The executables and libraries of the process from which types come.
enum Image {
  /// Returns the file name of an image, in quotes.
  static func name(_ path: String) -> String { "'\(path.split(separator: "/").last ?? "")'" }

  /// Returns the path of the image that declares a type; nil if the runtime has made the type.
  static func path(of type: Any.Type) -> String? { CLibrary.image(at: UInt(bitPattern: ObjectIdentifier(type))) }
}
