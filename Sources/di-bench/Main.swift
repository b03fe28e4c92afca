internal import Foundation

/// Where the process starts.
@main
enum Main {
  static func main() {
    ChildProcess.endWithParent()
    let context = CommandContext(interrupt: Interrupt.bySignal)
    exit(Tool(context: context).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
