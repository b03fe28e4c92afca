internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct OutputFileTests {
  @Test("A file is written whole and nothing else, and none is overwritten or written where there is no folder")
  func writes() throws {
    try withTemporaryFolder { folder in
      let file = OutputFile(path: folder.appending(path: "a.csv").path)
      try OutputFile.check([file])
      try file.write("text")
      #expect(
        try (
          String(contentsOfFile: file.path, encoding: .utf8),
          FileManager.default.contentsOfDirectory(atPath: folder.path)
        ) == ("text", ["a.csv"]))
    }
    do {
      try withTemporaryFolder { folder in
        let file = OutputFile(path: folder.appending(path: "a.csv").path)
        try file.write("first")
        let failure = CommandFailure(.cannotWrite, "Cannot write '\(file.path)': the file exists already")
        #expect(throws: failure) { try OutputFile.check([file]) }
        #expect(throws: failure) { try file.write("second") }
        #expect(
          try (
            String(contentsOfFile: file.path, encoding: .utf8),
            FileManager.default.contentsOfDirectory(atPath: folder.path)
          ) == ("first", ["a.csv"]))
      }
    }
    do {
      try withTemporaryFolder { folder in
        let file = OutputFile(path: folder.appending(path: "missing/a.csv").path)
        let failure = CommandFailure(.cannotWrite, "Cannot write '\(file.path)': No such file or directory")
        #expect(throws: failure) { try OutputFile.check([file]) }
        #expect(throws: failure) { try file.write("") }
        let folder = OutputFile(path: folder.path)
        #expect(throws: CommandFailure(.cannotWrite, "Cannot write '\(folder.path)': Is a directory")) {
          try folder.write("", replacing: true)
        }
      }
    }
  }

  @Test("A file that would be written twice is noticed before measuring, by whatever name, and nothing is left behind")
  func twice() throws {
    try withTemporaryFolder { folder in
      let benchmark = Benchmark("a") { preconditionFailure("measured") }
      let files = FileManager.default
      try files.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: ".")
      let rows = SampleRows.rows(["container": 20, "reference/x": 10])
      try OutputFile(path: folder.path + "/rows.csv").write(ResultFile.text(of: rows))
      for (arguments, name) in [
        (["--samples=a.csv", "--output=a.csv"], "a.csv"), (["--samples=./a.csv", "--output=a.csv"], "a.csv"),
        (["--samples=link/a.csv", "--output=a.csv"], "link/a.csv"), (["--samples=a.json", "--output=a.csv"], "a.json"),
        (["report", "rows.csv", "--svg=a.csv", "--html=a.csv"], "a.csv"),
      ] {
        let transcript = Transcript(arguments, in: folder, benchmarks: [benchmark])
        #expect(transcript.exitCode == .cannotWrite)
        #expect(transcript.errors.hasSuffix("\(name)': two options name it: change one\n"), "\(transcript.errors)")
      }
      #expect(try Set(files.contentsOfDirectory(atPath: folder.path)) == ["link", "rows.csv"])
    }
  }

  @Test("A folder and a dash as the name of a file are refused before measuring, with what to do")
  func noFile() throws {
    try withTemporaryFolder { folder in
      let benchmark = Benchmark("a") { preconditionFailure("measured") }
      try FileManager.default.createDirectory(atPath: folder.path + "/b", withIntermediateDirectories: true)
      let advice = "it is a folder: name a file in it"
      for (name, reason) in [
        ("b", advice), ("b/", advice), ("new/", advice), ("", advice),
        ("-", "it begins with a dash: name a file, and 'report' prints it"),
      ] {
        for option in ["--output", "--samples"] {
          for value in [name, "\(folder.path)/\(name)"] {
            let transcript = Transcript(["\(option)=\(value)"], in: folder, benchmarks: [benchmark])
            let errors = "Error: Cannot write '\(folder.path)/\(name)': \(reason)\n"
            #expect((transcript.exitCode, transcript.errors) == (.cannotWrite, errors))
          }
        }
      }
      try FileManager.default.removeItem(atPath: folder.path + "/Results")
      try "".write(toFile: folder.path + "/Results", atomically: true, encoding: .utf8)
      let results = Transcript(["run"], in: folder, benchmarks: [benchmark])
      #expect(
        (results.exitCode, results.errors)
          == (.cannotWrite, "Error: Cannot create the folder '\(folder.path)/Results'\n"))
      // Of two builds, what is given begins the names of two files.
      for prefix in ["-", "b/"] {
        let builds = [Executables.folder.path, Executables.folder.path]
        let transcript = Transcript(["ab"] + builds + ["--dry-run", "--output=\(prefix)"], in: folder)
        let errors = "Error: Cannot write '\(folder.path)/\(prefix)-base.csv': it begins with a dash: "
        #expect((transcript.exitCode, transcript.errors.hasPrefix(errors)) == (.cannotWrite, true))
      }
    }
  }

  #if os(Linux)
    @Test("A folder in which nothing can be created is noticed before measuring")
    func unwritableFolder() {
      // Nobody can create files there, not even the superuser.
      let file = OutputFile(path: "/proc/a.csv")
      #expect { try OutputFile.check([file]) } throws: { ($0 as? CommandFailure)?.code == .cannotWrite }
    }
  #endif
}
