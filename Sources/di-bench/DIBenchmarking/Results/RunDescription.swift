internal import Foundation

/// What is the same in all rows of a run, and how they were measured: the JSON file beside them.
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
  let loadAtEnd: Double?
  let interrupted: Bool

  init(_ recording: Recording, _ plan: Plan, isInterrupted: Bool) {
    let environment = recording.environment
    run = recording.run
    start = recording.start.ISO8601Format()
    seconds = Int(Date().timeIntervalSince(recording.start))
    commit = recording.commit
    hostHash = environment.hostHash
    os = environment.os
    cpu = environment.cpu
    cores = environment.cores
    launches = plan.launches
    launchesFinished = recording.launches
    samplesPerLaunch = plan.rounds
    sampleNs = plan.sampleNanoseconds
    seed = plan.seed
    threads = plan.threads
    rows = recording.rows.count
    samples = recording.samples
    disturbedSamples = recording.disturbed
    loadAtStart = recording.loadAtStart
    loadAtEnd = RunEnvironment.load
    interrupted = isInterrupted
  }

  /// How many rows a CSV file should have, as the file beside it says; nil if there is none.
  static func rowCount(beside path: String) -> Int? {
    struct Count: Decodable { let rows: Int }
    let name = (path as NSString).deletingPathExtension + ".json"
    guard let data = FileManager.default.contents(atPath: name) else { return nil }
    return try? JSONDecoder().decode(Count.self, from: data).rows
  }
}
