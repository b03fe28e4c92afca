internal import Foundation

/// Takes samples in processes of their own: one process for each.
struct ChildSampler: Sendable {
  /// The folder where this executable is.
  let executables: URL

  /// Takes one sample.
  ///
  /// - Parameters:
  ///   - cell: What to measure, by its name in the catalog.
  ///   - nanoseconds: How long the sample should take, if that can be chosen.
  /// - Returns: The sample.
  /// - Throws: A failure if the process finds something wrong, or cannot do what it should.
  func measure(_ cell: Cell, nanoseconds: Int) throws(CommandFailure) -> Sampler.Sample {
    let process = Process()
    process.executableURL = executables.appending(path: Tool.name)
    process.arguments = [
      CommandSpecification.sample.name, cell.scenario.label, cell.implementation.name, "--nanoseconds",
      "\(nanoseconds)",
    ]
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    do {
      try process.run()
    } catch {
      throw CommandFailure(.missingFile, "Cannot start '\(executables.appending(path: Tool.name).path)'")
    }
    // One after the other: a process that succeeds writes one line, and one that fails next to nothing but errors.
    let line = Self.text(output)
    let message = Self.text(errors)
    process.waitUntilExit()
    if process.terminationReason == .exit, process.terminationStatus == 0, let sample = Sampler.Sample(line) {
      return sample
    }
    if process.terminationReason == .exit, process.terminationStatus == ExitCode.invariantViolated.rawValue {
      throw CommandFailure(.invariantViolated, String(message.trimmingPrefix("Error: ")))
    }
    let reason = message.isEmpty ? "status \(process.terminationStatus)" : message
    throw CommandFailure(.invariantViolated, "Invariant violated: \(cell.name): its process failed: \(reason)")
  }

  /// The last line that a process wrote.
  private static func text(_ pipe: Pipe) -> String {
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).last.map { String($0) } ?? ""
  }
}

extension Sampler.Sample {
  /// The sample in one line, as a process hands it to the one that started it.
  var line: String {
    "\(operations) \(nanoseconds) \(registrations.map { "\($0)" } ?? "-") \(growth.map { "\($0)" } ?? "-")"
  }

  /// Reads the line; nil if it is something else.
  init?(_ line: String) {
    let fields = line.split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count == 4, let operations = Int(fields[0]), let nanoseconds = Int(fields[1]),
      operations > 0, nanoseconds > 0, fields[2...].allSatisfy({ $0 == "-" || Int($0) != nil })
    else { return nil }
    self.init(
      operations: operations, nanoseconds: nanoseconds, registrations: Int(fields[2]), growth: Int(fields[3]))
  }
}
