/// The record of what several threads did to the same keys, and what they saw.
///
/// A moment is a number of one clock: what has ended at a lower moment has happened before.
struct ModelHistory {
  /// From before an operation to after it.
  struct Interval {
    let begin: Int
    let end: Int
  }

  /// What a key was made to lead to; nil is nothing.
  struct Write {
    let key: ModelKey
    let registration: Int?
    let interval: Interval
  }

  /// What a key was seen to lead to.
  struct Read {
    let key: ModelKey
    let registration: Int?
    var serial: Int?
    let interval: Interval
  }

  /// What a snapshot was seen to hold, at one moment of the interval.
  struct Cut {
    let registrations: [ModelKey: Int]
    let interval: Interval
  }

  /// Nothing is registered at first.
  var writes: [Write] = ModelKey.allCases.map {
    Write(key: $0, registration: nil, interval: Interval(begin: 0, end: 0))
  }
  var reads: [Read] = []
  var cuts: [Cut] = []

  /// When instances were dropped without the registrations.
  var resets: [Interval] = []

  /// When the container went back to a snapshot, which may bring back instances.
  var restores: [Interval] = []

  /// What has been done, for people, with the moments.
  var log: [(interval: Interval, text: String)] = []

  mutating func add(_ other: ModelHistory) {
    writes += other.writes.dropFirst(ModelKey.allCases.count)
    reads += other.reads
    cuts += other.cuts
    resets += other.resets
    restores += other.restores
    log += other.log
  }

  /// Something that cannot have happened, and when.
  struct Fault {
    let text: String
    let moment: Int
  }

  /// The first thing that no order of the operations explains.
  func fault(creating creations: [ModelWorld.Creation], keysOf entries: [Int: ModelEntry]) -> Fault? {
    for key in ModelKey.allCases {
      let timeline = Timeline(writes.filter { $0.key == key })
      let reads = reads.filter { $0.key == key }
      for read in reads where !timeline.allows(read.registration, in: read.interval) {
        return Fault(
          text: "\(key) led to \(name(read.registration)), which was not current at any moment",
          moment: read.interval.end)
      }
      for cut in cuts where !timeline.allows(cut.registrations[key], in: cut.interval) {
        return Fault(
          text: "a snapshot has \(name(cut.registrations[key])) for \(key), which was not current at any moment",
          moment: cut.interval.end)
      }
      if restores.isEmpty, let fault = orderFault(of: key, timeline, reads) { return fault }
    }
    return tornCut(entries) ?? repeatedCreation(creations.filter { entries[$0.registration]!.life.isKept })
      ?? lateReader(creations)
  }

  private func name(_ registration: Int?) -> String { registration.map { "number \($0)" } ?? "nothing" }

  /// Who wrote what to one key when.
  private struct Timeline {
    private let byRegistration: [Int?: [Interval]]
    private let begins: [Int]

    /// The earliest end of any write from here on in the order of their begins.
    private let earliestEnds: [Int]

    init(_ writes: [Write]) {
      byRegistration = Dictionary(grouping: writes, by: \.registration).mapValues { $0.map(\.interval) }
      let sorted = writes.map(\.interval).sorted { $0.begin < $1.begin }
      begins = sorted.map(\.begin)
      var earliest = Int.max
      earliestEnds = Array(
        sorted.reversed().map { interval in
          earliest = min(earliest, interval.end)
          return earliest
        }.reversed())
    }

    /// Returns when something else that began after a moment was certainly in place.
    private func replacement(after moment: Int) -> Int {
      var low = 0
      var high = begins.count
      while low < high {
        let middle = (low + high) / 2
        if begins[middle] > moment { high = middle } else { low = middle + 1 }
      }
      return low < earliestEnds.count ? earliestEnds[low] : .max
    }

    /// Returns whether a registration may have been current at some moment of an interval.
    func allows(_ registration: Int?, in interval: Interval) -> Bool {
      byRegistration[registration, default: []].contains { write in
        write.begin < interval.end && replacement(after: write.end) > interval.begin
      }
    }

    /// The intervals in which a registration was put in place.
    func writes(of registration: Int?) -> [Interval] { byRegistration[registration, default: []] }
  }

  /// Returns whether there is no order of all operations on a key in which every read sees the last write.
  ///
  /// For registrations that are put in place once each there is one exactly if the stretches of time in which each must
  /// have been current do not overlap, and no registration fits only into another one's (Gibbons and Korach, 1997).
  private func orderFault(of key: ModelKey, _ timeline: Timeline, _ reads: [Read]) -> Fault? {
    var firstEnd: [Int: Int] = [:]
    var lastBegin: [Int: Int] = [:]
    var zones: [(registration: Int?, begin: Int, end: Int)] = []
    for write in writes where write.key == key {
      guard let registration = write.registration else {
        zones.append((nil, write.interval.begin, write.interval.end))
        continue
      }
      firstEnd[registration] = write.interval.end
      lastBegin[registration] = write.interval.begin
    }
    for read in reads {
      guard let registration = read.registration, let end = firstEnd[registration] else { continue }
      firstEnd[registration] = min(end, read.interval.end)
      lastBegin[registration] = max(lastBegin[registration]!, read.interval.begin)
    }
    var stretches: [(registration: Int, begin: Int, end: Int)] = []
    for (registration, end) in firstEnd {
      let begin = lastBegin[registration]!
      if end < begin { stretches.append((registration, end, begin)) } else { zones.append((registration, begin, end)) }
    }
    stretches.sort { $0.begin < $1.begin }
    for (one, other) in zip(stretches, stretches.dropFirst()) where other.begin < one.end {
      return Fault(
        text: "\(key) led to number \(one.registration) and number \(other.registration) in turns", moment: one.end)
    }
    for zone in zones {
      guard let around = stretches.last(where: { $0.begin < zone.begin }), zone.end < around.end else { continue }
      return Fault(
        text: "\(key) led to number \(around.registration) before and after \(name(zone.registration))",
        moment: around.end)
    }
    return nil
  }

  /// A snapshot with only some of the keys that were registered at once.
  private func tornCut(_ entries: [Int: ModelEntry]) -> Fault? {
    guard restores.isEmpty else { return nil }
    let timelines = Dictionary(
      uniqueKeysWithValues: ModelKey.allCases.map { key in (key, Timeline(writes.filter { $0.key == key })) })
    for cut in cuts {
      for (key, number) in cut.registrations {
        guard let begin = timelines[key]!.writes(of: number).first?.begin else { continue }
        for other in entries[number]!.allKeys where cut.registrations[other] != number {
          // What the other key leads to must have come later.
          let writes = timelines[other]!.writes(of: cut.registrations[other])
          if writes.contains(where: { $0.end > begin }) { continue }
          return Fault(
            text: "a snapshot has number \(number) for \(key) and \(name(cut.registrations[other])) for \(other)",
            moment: cut.interval.end)
        }
      }
    }
    return nil
  }

  /// A registration that has created twice without a reason.
  private func repeatedCreation(_ creations: [ModelWorld.Creation]) -> Fault? {
    let drops = resets + restores
    // It was settled who creates at some moment between the begin of the call and that of the factory.
    var calls: [Int: Int] = [:]
    for read in reads {
      if let serial = read.serial { calls[serial] = min(calls[serial, default: .max], read.interval.begin) }
    }
    func isDropped(between one: ModelWorld.Creation, and other: ModelWorld.Creation) -> Bool {
      drops.contains { $0.end > calls[one.serial, default: one.begin] && $0.begin < other.begin }
    }
    for (registration, all) in Dictionary(grouping: creations, by: \.registration) {
      let sorted = all.sorted { $0.begin < $1.begin }
      for (one, other) in zip(sorted, sorted.dropFirst()) {
        if isDropped(between: one, and: other) || isDropped(between: other, and: one) { continue }
        return Fault(
          text: "number \(registration) has created instance \(one.serial) and instance \(other.serial)",
          moment: other.end)
      }
    }
    return nil
  }

  /// A reader that got an instance after a reset had dropped it.
  private func lateReader(_ creations: [ModelWorld.Creation]) -> Fault? {
    guard restores.isEmpty else { return nil }
    let creations = Dictionary(uniqueKeysWithValues: creations.map { ($0.serial, $0) })
    for read in reads {
      guard let creation = read.serial.flatMap({ creations[$0] }) else { continue }
      guard resets.contains(where: { creation.begin < $0.begin && $0.end < read.interval.begin }) else { continue }
      return Fault(
        text: "\(read.key) led to instance \(creation.serial), which had been reset", moment: read.interval.end)
    }
    return nil
  }
}
