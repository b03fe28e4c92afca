import DITesting
import DependencyInjection
import Testing

// Four suites with containers of their own, whose 125 cases all override the same type through the static methods at the
// same time, and one suite beside them that uses the shared container. Nobody may see anything of the others.

/// The type that all tests resolve and override.
private protocol Channel: AnyObject, Sendable {
  var owner: String { get }
}

private final class RealChannel: Channel {
  let owner = "nobody"
}

private final class OwnedChannel: Channel {
  let owner: String
  init(owner: String) { self.owner = owner }
}

/// Keeps the channel it was built with.
private final class Station: Sendable {
  let channel: any Channel
  init(channel: any Channel) { self.channel = channel }
}

private struct Receiver {
  @Inject var channel: any Channel
  @LazyInject var station: Station
}

private let channels = Module {
  Shared(RealChannel() as any Channel)
  Shared { resolve in Station(channel: resolve()) }
  New(Receiver())
}

/// One case: 26 resolutions of the channel in all, on several tasks.
private func useChannel(as owner: String) async {
  #expect(
    (
      DIContainer.resolveCount(of: (any Channel).self), DIContainer.resolve((any Channel).self).owner,
      DIContainer.resolve(Station.self).channel.owner
    ) == (0, "nobody", "nobody"))
  await Task.yield()
  let mine = OwnedChannel(owner: owner)
  DIContainer.override((any Channel).self, with: mine)
  await withTaskGroup { group in
    for _ in 0..<4 {
      group.addTask {
        for _ in 0..<5 {
          guard DIContainer.resolve((any Channel).self) === mine else { return false }
          await Task.yield()
        }
        return DIContainer.resolve(Station.self).channel === mine
      }
    }
    for await isMine in group { #expect(isMine) }
  }
  async let child = DIContainer.resolve(Receiver.self).channel
  #expect(await child === mine)
  let later = await Task { DIContainer.resolve(Receiver.self).station.channel }.value
  #expect(later === mine)
  // One before the override and one for each station, then 20 of the tasks and one of each receiver.
  expectResolved((any Channel).self, times: 1 + 2 + 20 + 2)
  expectResolved(Station.self, times: 1 + 4 + 1)
  expectOverridesResolved()
}

@Suite(.isolatedContainer(.empty) { channels })
struct FirstParallelTests {
  @Test("of a suite that starts with nothing keep their overrides to themselves", arguments: 0..<50)
  func overriding(number: Int) async { await useChannel(as: "first \(number)") }
}

@Suite(.isolatedContainer { channels })
struct ThirdParallelTests {
  @Test("of a suite that inherits registrations keep their overrides to themselves", arguments: 0..<25)
  func overriding(number: Int) async { await useChannel(as: "third \(number)") }
}

@Suite(.isolatedContainer { channels })
@MainActor
struct FourthParallelTests {
  @Test("on the main actor keep their overrides to themselves", arguments: 0..<25)
  func overriding(number: Int) async { await useChannel(as: "fourth \(number)") }
}

@Suite(.isolatedContainer(.empty) { channels })
struct FifthParallelTests {
  @Test(
    "with a trait inside of that of their suite keep their overrides to themselves",
    .isolatedContainer { Shared(RealChannel() as any Channel) }, arguments: 0..<25)
  func overriding(number: Int) async {
    await useChannel(as: "fifth \(number)")
  }
}

struct SharedContainerTests {
  private static let register: Void = DIContainer.shared.register(channels)

  @Test("a suite without a trait uses the shared container and sees none of their overrides", arguments: 0..<25)
  func usesSharedContainer(number: Int) async {
    Self.register
    #expect(DIContainer.current == DIContainer.shared)
    let channel = DIContainer.resolve((any Channel).self)
    let station = DIContainer.resolve(Station.self)
    for _ in 0..<10 {
      await Task.yield()
      async let child = DIContainer.resolve((any Channel).self)
      #expect(await child === channel)
      #expect(DIContainer.resolve(Station.self) === station && DIContainer.resolve(Receiver.self).station === station)
    }
    #expect(channel.owner == "nobody" && station.channel === channel)
  }
}
