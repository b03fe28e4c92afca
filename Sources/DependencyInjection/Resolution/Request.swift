/// What a resolve asks for besides the type.
struct Request {
  /// Where it was asked.
  let location: SourceLocation

  /// The arguments, which the caller keeps alive.
  var arguments: Arguments?
}

/// What answered a resolve.
///
/// Not generic, because that would cost its metadata for every type that is resolved.
struct Answer {
  let definition: Definition

  /// The instance, if it is kept in the container that was asked and the table may answer with it.
  let box: Box?

  /// The same as the type that was asked for.
  let view: Box?
}
