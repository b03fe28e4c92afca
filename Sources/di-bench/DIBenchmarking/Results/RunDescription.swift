internal import Foundation

/// The JSON file beside the rows of a run: what is the same in all of them, and how they were measured.
struct RunDescription: Codable, Equatable {
  var schema = ResultRow.schema
  let run: String
  let start: String
  let seconds: Int
  let commit: String
  let hostHash: String
  let os: String
  let cpu: String
  let cores: Int
  var swiftVersion = Build.compilerVersion
  var benchVersion = Build.version
  let launches: Int
  let launchesFinished: Int
  let samplesPerLaunch: Int
  let sampleNs: Int
  let seed: UInt64
  let threads: [Int]
  let rows: Int
  let samples: Int
  let disturbedSamples: Int
  let loadAtStart: Double?
  var loadAtEnd = RunEnvironment.load
  let interrupted: Bool

  /// Returns the number of rows that a CSV file should have, as the file beside it says; nil if there is none.
  static func rowCount(beside path: String) -> Int? {
    struct Count: Decodable { let rows: Int }
    let name = (path as NSString).deletingPathExtension + ".json"
    guard let data = FileManager.default.contents(atPath: name) else { return nil }
    return try? JSONDecoder().decode(Count.self, from: data).rows
  }
}
