internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct OutputFileTests {
  @Test("A file is written whole and nothing else, and none is overwritten or written where there is no folder")
  func writes() throws {
    try withTemporaryFolder { folder in
      let file = OutputFile(path: folder.appending(path: "a.csv").path)
      try file.check()
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
        #expect(throws: failure) { try file.check() }
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
        #expect { try file.check() } throws: { ($0 as? CommandFailure)?.code == .cannotWrite }
        #expect { try file.write("") } throws: { ($0 as? CommandFailure)?.code == .cannotWrite }
      }
    }
  }

  #if os(Linux)
    @Test("A folder in which nothing can be created is noticed before measuring")
    func unwritableFolder() {
      // Nobody can create files there, not even the superuser.
      #expect { try OutputFile(path: "/proc/a.csv").check() } throws: { ($0 as? CommandFailure)?.code == .cannotWrite }
    }
  #endif
}
