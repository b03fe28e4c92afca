/// The reason why a command ends early: an exit code and one line for standard error.
package struct CommandFailure: Error, Equatable {
  let code: ExitCode
  let message: String

  package init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }

  static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }
}
