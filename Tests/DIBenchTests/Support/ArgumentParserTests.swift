internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct ArgumentParserTests {
  private let command = CommandSpecification(
    name: "try", abstract: "Try.",
    options: [
      .init(name: "filter", value: "prefix", help: "A value."), .init(name: "quick", help: "A flag."),
    ], operands: [.init(name: "file", help: "A file.")], run: { _, _ in })

  @Test("A value may follow its option in two ways, and what is not in the table is a usage error")
  func spellings() throws {
    // A value may follow its option after a space or an equals sign, and two dashes make operands of options.
    do {
      let cases: [[String]] = [
        ["--filter", "a=b", "--quick", "x"], ["x", "--quick", "--filter=a=b"],
        ["--filter=first", "--filter=a=b", "--quick", "x"],
        ["--quick", "--filter", "a=b", "--", "x"],
      ]
      for arguments in cases {
        let parsed = try ArgumentParser.parse(arguments, for: command)
        #expect(parsed == ParsedArguments(values: ["filter": "a=b"], flags: ["quick"], operands: ["x"]))
      }
      #expect(try ArgumentParser.parse(["--", "--quick"], for: command).operands == ["--quick"])
      for (arguments, value) in [
        (["--filter=", "-"], ""), (["--filter", "-", "-"], "-"), (["--filter", "-1", "-"], "-1"),
      ] {
        let parsed = try ArgumentParser.parse(arguments, for: command)
        #expect(parsed == ParsedArguments(values: ["filter": value], operands: ["-"]))
      }
    }
    // What is not in the table is a usage error that says what is meant.
    do {
      let cases: [([String], String)] = [
        (["--filtre=a", "x"], "Unknown option '--filtre'. Did you mean '--filter'?"),
        (["--xyzzyplugh", "x"], "Unknown option '--xyzzyplugh'"),
        (["-q", "x"], "Unknown option '-q'"),
        (["x", "--filter"], "Missing value for '--filter <prefix>'"),
        (["--filter", "--quick", "x"], "Missing value for '--filter <prefix>'"),
        (["--quick=yes", "x"], "The flag '--quick' takes no value, got 'yes'"),
        (["x", "y"], "Unexpected argument 'y'"),
        ([], "Missing expected argument '<file>'"),
      ]
      for (arguments, message) in cases {
        #expect(throws: CommandFailure(.usage, message)) { try ArgumentParser.parse(arguments, for: command) }
      }
    }
  }
}
