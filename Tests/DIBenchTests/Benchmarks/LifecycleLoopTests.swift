internal import DependencyInjection
internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct LifecycleLoopTests {
  typealias Loop<Target: Restorable> = @Sendable (LifecycleLoops<Target>) -> (Int) -> Int

  private func loops<Target: Restorable>() -> [Loop<Target>] {
    [
      { $0.snapshot }, { $0.restore }, { $0.isolatedCopy }, { $0.changedCopy }, { $0.withOverrides }, { $0.reset },
    ]
  }

  @Test("A container and a dictionary of any size pass, and each fault is found")
  func checks() {
    // A container and a dictionary of any size pass.
    do {
      let cases: [Int] = [1, 2, 100]
      for size in cases {
        // Twice, because a sample is preceded by a warm-up.
        for loop in loops() as [Loop<LockedDictionary>] {
          let target = LifecycleLoops(target: LockedDictionary.filled(with: size), size: size)
          for _ in 0..<2 { #expect(loop(target)(3) == 0) }
        }
        for loop in loops() as [Loop<DIContainer>] {
          let target = LifecycleLoops(target: DIContainer.filled(with: size), size: size)
          for _ in 0..<2 { #expect(loop(target)(3) == 0) }
        }
      }
    }
    // What a snapshot or a copy lacks, a restore or reset leaves, and an override misses or reaches is found.
    do {
      #expect(wrong(Forgets.self) { $0.snapshot } == 3)
      let workload = Benchmark.lifecycleLoop(of: 5, countsCopies: true) {
        (loops: LifecycleLoops<Faulty<Forgets>>, count) in
        loops.isolatedCopy(count)
      }
      let violation = #expect(throws: Violation.self) { try workload.finish() }
      #expect(
        (
          violation?.message, wrong(KeepsChanges.self) { $0.restore }, wrong(KeepsNothing.self) { $0.reset },
          wrong(IgnoresOverrides.self) { $0.restore }, wrong(IgnoresOverrides.self) { $0.changedCopy },
          wrong(IgnoresOverrides.self) { $0.withOverrides }
        ) == ("a copy has 4 registrations, expected 5", 3, 3, 3, 3, 3))
      #expect(wrong(KeepsInstances.self) { $0.reset } == 3)
      #expect(
        (wrong(SharesWithCopies.self) { $0.changedCopy }, wrong(SharesWithCopies.self) { $0.withOverrides }) == (3, 3))
    }
  }

  private func wrong<Mistake: Fault>(_: Mistake.Type, _ loop: Loop<Faulty<Mistake>>) -> Int {
    loop(LifecycleLoops(target: Faulty<Mistake>.filled(with: 5), size: 5))(3)
  }
}

// MARK: - Faults

/// A fault of `Faulty`.
private protocol Fault {
  static var losesOne: Bool { get }
  static var restores: Bool { get }
  static var resets: Bool { get }
  static var releases: Bool { get }
  static var overrides: Bool { get }
  static var copies: Bool { get }
}

extension Fault {
  static var losesOne: Bool { false }
  static var restores: Bool { true }
  static var resets: Bool { true }
  static var releases: Bool { true }
  static var overrides: Bool { true }
  static var copies: Bool { true }
}

private enum Forgets: Fault { static var losesOne: Bool { true } }
private enum KeepsChanges: Fault { static var restores: Bool { false } }
private enum KeepsNothing: Fault { static var resets: Bool { false } }
private enum KeepsInstances: Fault { static var releases: Bool { false } }
private enum IgnoresOverrides: Fault { static var overrides: Bool { false } }
private enum SharesWithCopies: Fault { static var copies: Bool { false } }

/// The dictionary, with a fault.
private struct Faulty<Mistake: Fault>: Restorable {
  private let target: LockedDictionary

  private init(_ target: LockedDictionary) {
    self.target = target
  }

  init() { self.init(LockedDictionary()) }
  func install<Value: Keyed>(_ type: Value.Type) { target.install(type) }

  func reset() {
    if Mistake.releases { target.reset() }
    if !Mistake.resets { target.override(revision: 9) }
  }

  func save() -> LockedDictionary.Saved { target.save() }
  func restore(_ saved: LockedDictionary.Saved) { if Mistake.restores { target.restore(saved) } }
  static func count(of saved: LockedDictionary.Saved) -> Int { saved.count - (Mistake.losesOne ? 1 : 0) }
  func copy() -> Faulty { Mistake.copies ? Faulty(target.copy()) : self }
  var count: Int { target.count - (Mistake.losesOne ? 1 : 0) }
  func override(revision: Int) {
    // The first one is a part of filling it.
    if Mistake.overrides || revision == 0 { target.override(revision: revision) }
  }
  func instance() -> any Revision { target.instance() }
}
