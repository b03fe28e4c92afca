/// Everything that ``DIContainer/verify(except:arguments:)-1adg8`` has found.
public struct VerificationError: Error, Sendable {
  /// What is wrong, in the order of the registrations; each mistake once, however many registrations it concerns.
  public let failures: [ResolutionError]

  /// How many registrations there are.
  let count: Int

  /// What has come to no end after a failure.
  let unchecked: [RegistrationInfo]
}

extension VerificationError: CustomStringConvertible {
  /// The whole list, with what ``ResolutionError`` says about each failure.
  public var description: String {
    let summary = "\(failures.count.counted("problem")) in \(count.counted("registration"))."
    let list = failures.enumerated().map { index, failure in
      "\(index + 1). " + failure.description.split(separator: "\n").joined(separator: "\n   ")
    }
    let unchecked = unchecked.map {
      "Not checked, because it does not end, maybe for want of something that a failure has left behind: \($0)"
    }
    return ([summary] + list + unchecked).joined(separator: "\n")
  }
}

extension Int {
  /// The number and what is counted: `1 problem`, `2 problems`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
