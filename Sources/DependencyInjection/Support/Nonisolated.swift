/// Keeps the extensions of a type from being isolated to the main actor, where that is the default.
///
/// The compiler isolates the members of an extension by default, even of an imported type, unless a protocol of the type
/// inherits from `SendableMetatype`. So a name or a scope that a new Xcode project declares may be used anywhere.
public protocol _NonisolatedExtensions: SendableMetatype {}
