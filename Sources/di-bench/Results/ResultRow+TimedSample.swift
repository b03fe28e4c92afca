internal import Foundation

extension ResultRow {
  /// The rows of a run's samples.
  static func rows(
    of measurements: [TimedSample], run: String, in environment: RunEnvironment, isDebug: Bool
  ) -> [ResultRow] {
    let pairs = PairedRatios(measurements)
    return measurements.map { measurement in
      let cell = measurement.cell
      var row = ResultRow()
      row.run = run
      row.time = measurement.time.ISO8601Format()
      row.commit = environment.version
      row.hostHash = environment.hostHash
      row.os = environment.os
      row.cpu = environment.cpu
      row.cores = environment.cores
      row.swiftVersion = Build.compilerVersion
      row.scenario = cell.scenario.name
      row.implementation = cell.implementation.name
      row.threads = cell.threads
      row.registrations = measurement.sample.registrations
      row.depth = cell.scenario.depth
      row.launch = 1
      row.round = measurement.round
      row.operations = measurement.sample.operations
      row.elapsedNanoseconds = measurement.sample.nanoseconds
      row.nanosecondsPerOperation = measurement.nanosecondsPerOperation
      row.operationsPerSecond = measurement.operationsPerSecond
      if cell.implementation.name != cell.scenario.reference.name {
        row.reference = cell.scenario.reference.name
        row.ratioToReference = pairs.ratio(of: measurement, to: cell.scenario.reference.name)
      }
      row.quality = cell.busyThreads > environment.cores ? .oversubscribed : nil
      row.status = isDebug ? .debug : .ok
      return row
    }
  }
}
