/// A check for another copy of this library in the process, which has containers and registrations of its own.
///
/// There is another copy if a test bundle and the app that loads it both link the library statically. The runtime knows
/// the types of all images, even if these export no symbols. For a name, it returns the type of the first image that
/// has one. So every copy but the first one in the process finds the other when it searches.
package enum OtherCopy {
  /// Returns an explanation of the other copy, if there is one: its effect, the places of both, and the remedy.
  package static func explanation() -> String? { explanation(of: DIContainer.self) }

  /// Returns an explanation of another copy of the library that has a class.
  static func explanation<Own: AnyObject>(of own: Own.Type) -> String? {
    guard let name = _mangledTypeName(own), let other = _typeByName(name), other != own else { return nil }
    return
      "there are two copies of DependencyInjection in this process, in \(image(of: own)) and in \(image(of: other)): "
      + "what is registered with one is missing in the other; link it to one of them only, or as a dynamic library"
  }

  /// Returns the file name of the executable or the library that has a type.
  private static func image(of type: Any.Type) -> String {
    // Sound: the function takes any address and a `Dl_info`, which is four words in every C library. The first word is
    // the path of the image, which stays in place as long as the image is loaded. The headers of some C libraries hide
    // the function.
    guard let find = unsafe CLibrary.function("dladdr", as: FindImage.self) else { return "an unknown image" }
    return unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: 4) { information in
      unsafe information.initialize(repeating: nil)
      let address = unsafe UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type))).unsafelyUnwrapped
      guard unsafe find(address, information.baseAddress!) != 0,
        let path = unsafe information[0]
      else { return "an unknown image" }
      return unsafe "'\(String(cString: path).split(separator: "/").last ?? "")'"
    }
  }

  private typealias FindImage =
    @convention(c) (UnsafeRawPointer, UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Int32
}
