/// How the process was started, to choose registrations by: tests, previews, launch arguments.
///
/// Contexts are plain Swift, no second kind of registration:
///
/// ```swift
/// DIContainer.register {
///   if LaunchContext.current.isPreview || LaunchContext.current.has("-demo") {
///     Shared(DemoClient() as Client)
///   } else {
///     Shared(HTTPClient() as Client)
///   }
///   #if DEBUG
///     Shared(ConsoleLog() as Log)
///   #else
///     Shared(SystemLog() as Log)
///   #endif
/// }
/// ```
public struct LaunchContext: Sendable {
  /// The arguments of the process, without its own name.
  public let arguments: [String]

  private let name: String
  private let variable: @Sendable (String) -> String?

  /// The context of this process, read anew each time.
  public static var current: LaunchContext {
    LaunchContext(arguments: CommandLine.arguments, variable: CLibrary.variable)
  }

  /// Creates a context, to test a choice without starting a process.
  ///
  /// - Parameters:
  ///   - arguments: What started the process: its name, then its arguments.
  ///   - variable: Looks up a variable of the environment.
  public init(arguments: [String], variable: @escaping @Sendable (String) -> String?) {
    name = arguments.first ?? ""
    self.arguments = Array(arguments.dropFirst())
    self.variable = variable
  }

  /// Returns whether an argument is present: `-demo`.
  ///
  /// - Parameter argument: The whole argument.
  /// - Returns: Whether the process was started with it.
  public func has(_ argument: String) -> Bool { arguments.contains(argument) }

  /// The value of a variable of the environment, or nil if it is not set.
  public subscript(_ name: String) -> String? { variable(name) }

  /// Whether the process runs tests: with Xcode, with `swift test`, in XCTest or Swift Testing.
  public var isRunningTests: Bool {
    self["XCTestConfigurationFilePath"] != nil || self["XCTestBundlePath"] != nil
      || self["XCTestSessionIdentifier"] != nil || has("--testing-library")
      || name.hasSuffix(".xctest") || name.hasSuffix("/xctest") || name.hasSuffix("swiftpm-testing-helper")
  }

  /// A Boolean value that indicates whether the process shows an Xcode preview.
  public var isPreview: Bool { self["XCODE_RUNNING_FOR_PREVIEWS"] == "1" }
}
