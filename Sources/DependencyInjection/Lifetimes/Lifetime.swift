/// How long an instance lives once it has been created.
package enum Lifetime: Sendable {
  /// Until it is replaced or reset.
  case shared

  /// As long as whoever resolved it keeps it.
  case new
}
