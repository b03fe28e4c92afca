internal import Foundation

/// The JSON file beside the rows of a run: what is the same in all of them, and how they were measured.
struct RunDescription: Codable, Equatable {
  var schema = ResultRow.schema
  let start: String
  let seconds: Int
  let commit: String
  let program: String?
  let hostHash, os, cpu: String
  let cores: Int
  var swiftVersion = Build.compilerVersion
  var benchVersion = Build.version
  let launches, launchesFinished, samplesPerLaunch, sampleNs: Int
  let seed: UInt64
  let threads: [Int]
  let rows, samples, disturbedSamples: Int
  let interrupted: Bool

  /// The path of the description of the rows in a file.
  static func path(beside path: String) -> String { path.replacing(/\.csv$/, with: "") + ".json" }

  /// What every reader of the rows needs.
  struct Outline: Decodable {
    let rows: Int
    let interrupted: Bool?
  }

  /// Reads the file beside a CSV file, or a part of it; nil if there is none.
  static func read<Value: Decodable>(_ type: Value.Type, beside path: String) -> Value? {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let data = FileManager.default.contents(atPath: Self.path(beside: path)) else { return nil }
    return try? decoder.decode(type, from: data)
  }
}
