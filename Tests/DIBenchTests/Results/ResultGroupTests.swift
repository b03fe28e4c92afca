internal import Foundation
internal import Testing

@testable import DIBenchmarking

struct ResultGroupTests {
  @Test(
    "A ratio is the median over launches of their ratios, groups are in the order of the file, and sizes are told apart"
  )
  func pairing() throws {
    // The second launch was disturbed as a whole: its ratio is as good as that of the others.
    let rows = [(20.0, 10.0), (300, 100), (40, 10)].enumerated().flatMap { index, times in
      SampleRows.rows(["container": times.0, "reference/static-let": times.1], launch: index + 1)
    }
    let group = try #require(ResultGroup.groups(of: rows).first)
    #expect(
      (
        group.ratio(to: "reference/static-let")?.median,
        group.logarithms(to: "reference/static-let").map { exp($0).rounded() },
        group.logarithms(to: nil).map { exp($0).rounded() }, group.nanoseconds("container")?.median, group.reference
      ) == (3, [2, 3, 4], [20, 300, 40], 40, "reference/static-let"))
    #expect(group.ratio(to: "reference/serial-queue") == nil)
    // The role says what the subject is, and the subject what an operation needs.
    let controls = SampleRows.rows(["container": 1, "reference/static-let": 1]) { row in
      (row.gate, row.process, row.quality) = (nil, nil, [.unsteady])
      row.bytes = row.role == .subject ? 4 : 8
      if row.role != .subject { row.allocations = 9 }
    }
    let counted = SampleRows.rows(["container": 1], launch: 2) { $0.allocations = 2 }
    let other = try #require(ResultGroup.groups(of: controls.reversed() + counted).first)
    #expect(
      (other.subject, other.bytes, other.allocations, other.gate, other.hasOwnProcess, other.isOversubscribed)
        == ("container", [4], 2, .none, false, false))
    do {
      var rows = SampleRows.rows(["container": 1, "reference/static-let": 1])
      for size in [100, 1000] {
        rows += SampleRows.rows(["container": 1], scenario: "lifecycle/restore") { $0.registrations = size }
      }
      #expect(
        ResultGroup.groups(of: rows).map(\.label) == [
          "resolve/shared", "lifecycle/restore/100", "lifecycle/restore/1000",
        ])
      for (depth, size) in [(1, 7), (2, nil)] {
        rows += SampleRows.rows(["container": 1], scenario: "a") { ($0.depth, $0.registrations) = (depth, size) }
      }
      #expect(ResultGroup.groups(of: rows).suffix(2).map(\.label) == ["a/7/1", "a/-/2"])
      #expect(rows.matching { $0 == "a/-/2" }.map(\.depth) == [2])
    }
  }

  @Test("The table shows what was measured, and scaling; what has no reference is not in the mean")
  func leftOut() throws {
    // What has no reference is not in the mean, and its number is named.
    do {
      let rows = SampleRows.rows(["container": 20, "reference/static-let": 10])
      let alone = SampleRows.rows(["container": 1_000_000, "reference/x": 1], scenario: "lifecycle/restore") {
        if $0.role == .reference { $0.role = .other }
      }
      let sentence =
        "2.00 × in the geometric mean; of 1 compared cell, 1 undecided; furthest: resolve/shared (1) 2.00 ×."
      #expect(ResultTable.summary(ResultGroup.groups(of: rows)) == "Time / time of the reference: \(sentence)")
      #expect(
        ResultTable.summary(ResultGroup.groups(of: rows + alone))
          == "Time / time of the reference: \(sentence) Left out, because nothing else does the same: 1 cell.")
      #expect(
        ResultTable.summary(ResultGroup.groups(of: alone)) == "Measured 1 cell, none of them compared with a reference."
      )
    }
    // The table shows what was measured, runs without a reference, and scaling over one thread.
    do {
      do {
        let rows = SampleRows.rows(["container": 10]) { row in
          row.percentile99 = 55
          row.bytes = 4
          row.allocations = 2
        }
        let header = ResultTable.table([]).header
        let fields = try #require(fields(rows).first)
        for (name, value) in [
          ("p99 ns", "55.0"), ("bytes/op", "4.0"), ("alloc/op", "2.0"), ("reference", "-"), ("ratio", "-"),
        ] {
          #expect(fields[try #require(header.firstIndex(of: name))] == value)
        }
      }
      // A value in each column that a reference gives, and a note that there are more threads than cores.
      let full = (1...8).flatMap { launch in
        SampleRows.rows(
          [
            "container": 30, Benchmark.Implementation.lockedDictionary: launch < 5 ? 10 : 15,
            Benchmark.Implementation.serialQueue: 60,
          ], threads: 4, launch: launch
        ) { $0.quality = [.oversubscribed] }
      }
      #expect(
        fields(full) == [
          [
            "resolve/shared", "4*", "30.0", "-", "133", "-", "-", "-", "locked-dictionary", "12.5", "2.50", "20%",
            "2.50", "0.50",
          ]
        ])
      let notes = ResultTable.lines(ResultGroup.groups(of: full), isFull: false, isMarkdown: true).suffix(2)
      #expect(notes.map { $0.prefix(9) } == ["- ratio: ", "- *: more"])
      // The whole interval has to be on one side of a tenth, or within it.
      for (low, high, word) in [
        (1.2, 1.3, "slower"), (1.05, 1.2, "undecided"), (0.7, 0.8, "faster"), (0.8, 0.95, "undecided"),
        (0.95, 1.05, "as fast"), (0.8, 1.05, "undecided"), (0.8, 1.2, "undecided"),
      ] {
        let rows = (1...8).flatMap { launch in
          SampleRows.rows(["container": launch < 5 ? low : high, "reference/x": 1], launch: launch)
        }
        #expect(ResultTable.summary(ResultGroup.groups(of: rows)).contains(" 1 compared cell, 1 \(word)"), "\(low)")
      }
      let table = TextTable(header: ["a", "b|<"], names: [1], rows: [["10", "xyz"], ["2", "z"]])
      #expect(
        (table.lines, table.markdown) == (
          [" a  b|<", "10  xyz", " 2  z"], ["| a | b\\|&lt; |", "| --: | --- |", "| 10 | xyz |", "| 2 | z |"]
        ))
      // Two threads, each as fast as one alone: twice the throughput.
      let two = SampleRows.rows(["container": 10, "reference/static-let": 10], threads: 2)
      let one = SampleRows.rows(["container": 10, "reference/static-let": 10])
      let column = try #require(ResultTable.table([]).header.firstIndex(of: "scaling"))
      let other = SampleRows.rows(["container": 5], scenario: "a")
      #expect(fields(other + one + two).map { $0[column] } == ["-", "-", "2.00"])
      // On two threads alone there is nothing to compare with.
      #expect(fields(two).map { $0[column] } == ["-"])
    }
  }

  private func fields(_ rows: [ResultRow]) -> [[String]] {
    ResultTable.table(ResultGroup.groups(of: rows)).rows
  }
}
