/// A protocol that keeps the extensions of a type from being isolated to the main actor, where that is the default.
///
/// The compiler isolates the members of an extension by default, even if the type is imported, unless a protocol of the
/// type inherits from `SendableMetatype`. With this protocol, any code can use a name or a scope that a new Xcode
/// project declares.
public protocol _NonisolatedExtensions: SendableMetatype {}
