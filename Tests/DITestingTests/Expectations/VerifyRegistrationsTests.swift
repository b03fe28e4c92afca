import DITesting
import DependencyInjection
import Testing

@Suite(.expectingIssues, .isolatedContainer(.empty))
struct VerifyRegistrationsTests {
  private final class Part: Sendable {}

  private struct Whole: Sendable {
    let part: Part
  }

  @Test("fails if nothing is checked, and once at the call with everything that is wrong; else it passes")
  func verifies() async {
    await expectFailures(
      """
      Nothing is registered, so there is nothing to check.
        note       tests do not run `main`; let the trait register: `.isolatedContainer { Module.app }`
      """
    ) { await verifyRegistrations() }
    DIContainer.register {
      New { resolve in Whole(part: resolve()) }
      New { (_, id: Int) in id }
    }
    let line = #line + 2
    let found = await issues {
      await verifyRegistrations()
    }
    #expect(found.map(\.sourceLocation?.line) == [line])
    let text = found.first?.text ?? ""
    #expect(
      text.hasPrefix("2 problems in 2 registrations.\n1. No registration for 'Part'.")
        && text.contains("2. 'Int' takes arguments (Int), got none."))
    DIContainer.register(Shared(Part()))
    await verifyRegistrations(arguments: { $0.type == Int.self ? 7 : nil })
    await verifyRegistrations(except: { $0.type == Int.self })
    await expectFailures(
      """
      Every registration is left out, so there is nothing to check.
        note       `except:` leaves out the registrations for which it returns true
      """
    ) { await verifyRegistrations(except: { _ in true }) }
  }
}
