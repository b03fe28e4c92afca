/// Everything that ``DIContainer/verify(except:arguments:)-1adg8`` has found.
public struct VerificationError: Error, Sendable {
  /// What is wrong, in the order of the registrations; each mistake once, however many registrations it concerns.
  public let failures: [ResolutionError]

  /// How many registrations have been resolved.
  let count: Int
}

extension VerificationError: CustomStringConvertible {
  /// The whole list, with what ``ResolutionError`` says about each failure.
  public var description: String {
    func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
    let summary = "\(counted(failures.count, "problem")) in \(counted(count, "registration"))."
    let list = failures.enumerated().map { index, failure in
      "\(index + 1). " + failure.description.split(separator: "\n").joined(separator: "\n   ")
    }
    return ([summary] + list).joined(separator: "\n")
  }
}
