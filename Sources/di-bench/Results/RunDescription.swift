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
  let swiftVersion: String
  var benchVersion = Build.version
  let launches: Int
  let launchesFinished: Int
  let samplesPerLaunch: Int
  let sampleNs: Int
  let seed: UInt64
  let threads: [Int]
  let rows: Int
  let disturbedRows: Int
  let loadAtStart: Double?
  let loadAtEnd: Double?
  let interrupted: Bool

  init(_ recording: Recording, _ plan: Plan, _ loadAtStart: Double?, isInterrupted: Bool) {
    let environment = recording.environment
    run = environment.run
    start = recording.start.ISO8601Format()
    seconds = Int(Date().timeIntervalSince(recording.start))
    commit = environment.commit
    hostHash = environment.hostHash
    os = environment.os
    cpu = environment.cpu
    cores = environment.cores
    swiftVersion = Build.compilerVersion
    launches = plan.launches
    launchesFinished = recording.launches
    samplesPerLaunch = plan.rounds
    sampleNs = plan.sampleNanoseconds
    seed = plan.seed
    threads = plan.threads
    rows = recording.rows.count
    disturbedRows = recording.disturbedRows
    self.loadAtStart = loadAtStart
    loadAtEnd = SystemLoad.current
    interrupted = isInterrupted
  }

  /// How many rows a CSV file should have, as the file beside it says; nil if there is none.
  static func rowCount(beside path: String) -> Int? {
    struct Count: Decodable { let rows: Int }
    let name = (path as NSString).deletingPathExtension + ".json"
    guard let data = FileManager.default.contents(atPath: name) else { return nil }
    return try? JSONDecoder().decode(Count.self, from: data).rows
  }

  /// The contents of the file, with a line for each value.
  var json: String { JSON.text(of: self) }
}
