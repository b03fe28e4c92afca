@_exported public import DependencyInjection

/// A class of which there is one copy.
open class Keeper<Content> {
  /// Creates a keeper.
  public init() {}
}
