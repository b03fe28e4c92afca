// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A module of its own, which NewProject.swift imports as tests import an app.

import DependencyInjection

public protocol Router: Sendable {}

public protocol Log { func write(_ text: String) }

public final class MockRouter: Router {
  public init() {}
}

// snippet: error-new-project-enum
public enum HomeFeature {
  public static let module = Module {
    MainShared(MockRouter() as Router)
  }
}
// end

extension Module {
  public static let home = Module {
    MainShared(MockRouter() as Router)
  }
}
