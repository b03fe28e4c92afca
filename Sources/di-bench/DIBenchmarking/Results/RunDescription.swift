internal import Foundation

/// The JSON file beside the rows of a run: what is the same in all of them, and how they were measured.
struct RunDescription: Codable, Equatable {
  var schema = ResultRow.schema
  let start: String
  let seconds: Int
  let commit: String
  let program: String?
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
  let interrupted: Bool
}

extension RunDescription {
  /// What every reader of the rows needs.
  struct Outline: Decodable {
    let rows: Int
    let interrupted: Bool?
  }

  /// Reads the file beside a CSV file, or a part of it; nil if there is none.
  static func read<Value: Decodable>(_ type: Value.Type, beside path: String) -> Value? {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let data = FileManager.default.contents(atPath: path.replacing(/\.csv$/, with: "") + ".json") else {
      return nil
    }
    return try? decoder.decode(type, from: data)
  }
}
