internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

@Suite("Output files")
struct OutputFileTests {
  @Test("A file is written whole, and nothing else is left in the folder")
  func writes() throws {
    try withTemporaryFolder { folder in
      let file = OutputFile(path: folder.appending(path: "a.csv").path)
      try file.check()
      try file.write("text")
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "text")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.csv"])
    }
  }

  @Test("A file that exists is never overwritten, neither early nor late")
  func neverOverwrites() throws {
    try withTemporaryFolder { folder in
      let file = OutputFile(path: folder.appending(path: "a.csv").path)
      try file.write("first")
      let failure = CommandFailure(.cannotWrite, "Cannot write '\(file.path)': the file exists already")
      #expect(throws: failure) { try file.check() }
      #expect(throws: failure) { try file.write("second") }
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "first")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.csv"])
    }
  }

  #if os(Linux)
    @Test("A folder in which nothing can be created is noticed before measuring")
    func unwritableFolder() {
      // Nobody can create files there, not even the superuser.
      #expect { try OutputFile(path: "/proc/a.csv").check() } throws: { ($0 as? CommandFailure)?.code == .cannotWrite }
    }
  #endif

  @Test("A folder that does not exist is noticed before and while writing")
  func missingFolder() throws {
    try withTemporaryFolder { folder in
      let file = OutputFile(path: folder.appending(path: "missing/a.csv").path)
      #expect { try file.check() } throws: { ($0 as? CommandFailure)?.code == .cannotWrite }
      #expect { try file.write("") } throws: { ($0 as? CommandFailure)?.code == .cannotWrite }
    }
  }
}
