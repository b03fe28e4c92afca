internal import Foundation

/// Where the process starts.
@main
enum Main {
  static func main() {
    exit(Tool().run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
