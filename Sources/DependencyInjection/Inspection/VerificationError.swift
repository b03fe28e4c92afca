/// Everything that ``DIContainer/verify(except:arguments:)`` has found.
public struct VerificationError: Error, Sendable {
  /// What is wrong, in the order of the registrations; each mistake once, however many registrations it concerns.
  public let failures: [ResolutionError]

  /// How many registrations there are.
  let count: Int
}

extension VerificationError: CustomStringConvertible {
  /// The whole list, with what ``ResolutionError`` says about each failure.
  public var description: String {
    let summary = "\(failures.count.counted("problem")) in \(count.counted("registration"))."
    let list = failures.enumerated().map { index, failure in
      "\(index + 1). " + failure.description.split(separator: "\n").joined(separator: "\n   ")
    }
    return ([summary] + list).joined(separator: "\n")
  }
}

extension Int {
  /// The number and what is counted: `1 problem`, `2 problems`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
