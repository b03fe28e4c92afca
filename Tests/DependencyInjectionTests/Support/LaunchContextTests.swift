internal import DependencyInjection
internal import Testing

struct LaunchContextTests {

  @Test("Tests and previews are told by what starts them")
  func contexts() {
    #expect(LaunchContext(arguments: ["/build/PackageTests.xctest"]) { _ in nil }.isRunningTests)
    #expect(LaunchContext(arguments: ["/usr/libexec/swift/pm/swiftpm-testing-helper"]) { _ in nil }.isRunningTests)
    #expect(LaunchContext(arguments: ["/Xcode/Agents/xctest"]) { _ in nil }.isRunningTests)
    #expect(LaunchContext(arguments: ["App", "--testing-library", "swift-testing"]) { _ in nil }.isRunningTests)
    for name in ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"] {
      #expect(LaunchContext(arguments: ["App"]) { $0 == name ? "" : nil }.isRunningTests)
    }
    for value in ["0", "1"] {
      let context = LaunchContext(arguments: ["App"]) { $0 == "XCODE_RUNNING_FOR_PREVIEWS" ? value : nil }
      #expect(context.isPreview == (value == "1"))
    }
    // This process runs tests and shows no preview.
    #expect(LaunchContext.current.isRunningTests)
    #expect(!LaunchContext.current.isPreview)
    // An app that is started by itself.
    let context = LaunchContext(arguments: ["/Applications/App", "-demo"]) { _ in nil }
    #expect(!context.isRunningTests && !context.isPreview)
    #expect(context.has("-demo") && !context.has("/Applications/App") && context.arguments == ["-demo"])
    #expect(context["ANY"] == nil)
  }
}
