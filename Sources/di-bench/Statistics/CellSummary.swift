/// What the samples of one scenario on one number of threads come to.
struct CellSummary {
  let scenario: Scenario
  let threads: Int

  /// How many threads were busy, those that accompany them included.
  let busyThreads: Int

  /// The median time of one operation of the subject on one thread.
  let nanoseconds: Double

  /// The same of the reference.
  let referenceNanoseconds: Double

  /// The median of what all threads together achieved.
  let operationsPerSecond: Double

  /// The median over rounds of what all threads together achieved, divided by what one achieved; nil if that was not
  /// measured, or if this is it.
  let scaling: Double?

  /// The most bytes by which the memory of a process of the subject, and of the reference, grew; nil if not measured.
  let growth: (subject: Int, reference: Int)?

  /// The median over rounds of the ratio of the subject's time to that of each other implementation.
  let ratios: [String: Double]

  /// The median deviation of the ratio to the reference, as a part of that ratio.
  let spread: Double

  /// Summarises all samples, in the order of the scenarios and threads of the plan.
  static func summaries(of measurements: [TimedSample], plan: Plan) -> [CellSummary] {
    let pairs = PairedRatios(measurements)
    return plan.scenarios.flatMap { scenario in
      plan.threads(of: scenario).compactMap { threads in
        let group = measurements.filter { $0.cell.scenario.label == scenario.label && $0.cell.threads == threads }
        return CellSummary(scenario, threads, group, pairs)
      }
    }
  }

  private init?(_ scenario: Scenario, _ threads: Int, _ group: [TimedSample], _ pairs: PairedRatios) {
    let subject = group.filter { $0.cell.implementation.name == scenario.subject.name }
    let reference = group.filter { $0.cell.implementation.name == scenario.reference.name }
    let ratios = { (name: String) in subject.compactMap { pairs.ratio(of: $0, to: name) } }
    let referenceRatios = ratios(scenario.reference.name)
    guard let nanoseconds = subject.map(\.nanosecondsPerOperation).median,
      let referenceNanoseconds = reference.map(\.nanosecondsPerOperation).median,
      let operationsPerSecond = subject.map(\.operationsPerSecond).median,
      let ratio = referenceRatios.median, let deviation = referenceRatios.medianDeviation
    else { return nil }
    self.scenario = scenario
    self.threads = threads
    busyThreads = group.map(\.cell.busyThreads).max() ?? threads
    self.nanoseconds = nanoseconds
    self.referenceNanoseconds = referenceNanoseconds
    self.operationsPerSecond = operationsPerSecond
    scaling = threads == 1 ? nil : subject.compactMap { pairs.scaling(of: $0) }.median
    let growth = (subject.compactMap(\.sample.growth).max(), reference.compactMap(\.sample.growth).max())
    self.growth = growth.0.flatMap { subject in growth.1.map { (subject, $0) } }
    self.ratios = Dictionary(
      scenario.implementations.dropFirst().compactMap { other in ratios(other.name).median.map { (other.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    spread = deviation / ratio
  }
}
