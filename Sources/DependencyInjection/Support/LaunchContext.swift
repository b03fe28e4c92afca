/// The circumstances of the process's launch, such as tests, previews and launch arguments.
///
/// Use them to choose registrations, with a plain `if` or `#if`:
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
  ///   - arguments: The name of the process, followed by its arguments.
  ///   - variable: A closure that returns the value of an environment variable.
  public init(arguments: [String], variable: @escaping @Sendable (String) -> String?) {
    name = arguments.first ?? ""
    self.arguments = Array(arguments.dropFirst())
    self.variable = variable
  }

  /// Returns a Boolean value that indicates whether an argument is present: `-demo`.
  ///
  /// - Parameter argument: The whole argument.
  /// - Returns: A Boolean value that indicates whether the process was started with the argument.
  public func has(_ argument: String) -> Bool { arguments.contains(argument) }

  /// The value of an environment variable, or nil if it is not set.
  public subscript(_ name: String) -> String? { variable(name) }

  /// A Boolean value that indicates whether the process runs tests: with Xcode, with `swift test`, in XCTest or Swift
  /// Testing.
  public var isRunningTests: Bool {
    self["XCTestConfigurationFilePath"] != nil || self["XCTestBundlePath"] != nil
      || self["XCTestSessionIdentifier"] != nil || has("--testing-library")
      || name.hasSuffix(".xctest") || name.hasSuffix("/xctest") || name.hasSuffix("swiftpm-testing-helper")
  }

  /// A Boolean value that indicates whether the process shows an Xcode preview.
  public var isPreview: Bool { self["XCODE_RUNNING_FOR_PREVIEWS"] == "1" }
}
