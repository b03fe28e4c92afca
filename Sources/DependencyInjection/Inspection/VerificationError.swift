/// All problems that ``DIContainer/verify(except:arguments:)`` has found.
public struct VerificationError: Error, Sendable {
  /// The problems, in the order of the registrations.
  ///
  /// Each mistake is listed once, however many registrations it affects.
  public let failures: [ResolutionError]

  /// The number of registrations.
  let count: Int
}

extension VerificationError: CustomStringConvertible {
  /// The list of all problems, with the description of each ``ResolutionError``.
  public var description: String {
    let summary = "\(failures.count.counted("problem")) in \(count.counted("registration"))."
    let list = failures.enumerated().map { index, failure in
      "\(index + 1). " + failure.description.split(separator: "\n").joined(separator: "\n   ")
    }
    return ([summary] + list).joined(separator: "\n")
  }
}

extension Int {
  /// Returns the number followed by a noun in the right form: `1 problem`, `2 problems`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
