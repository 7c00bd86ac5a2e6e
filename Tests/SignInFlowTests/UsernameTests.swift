import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// The e-mail of the last sign-in on this device, which the next one need not type.
@Suite struct UsernameTests {
  private static let email = Secret("tech@example.com")

  private func saved(_ effects: [Effect]) -> [Secret?] {
    effects.compactMap { if case .saveUsername(let username) = $0 { .some(username) } else { nil } }
  }

  /// The server ends the session for this reason.
  private func ended(_ reason: EndReason) throws -> FlowDriver {
    var driver = FlowDriver.atJobs()
    let record = try #require(driver.renewingSession).record.text.revealed
    driver.pass(seconds: 280)
    driver.press(.refresh)
    driver.handle(.storage(.renewalClaimed(.value(record))))
    driver.refuse(.invalidGrant) { $0.reason = reason.rawValue }
    return driver
  }

  @Test("T-09 a sign-in stores its e-mail after the session, and nothing of the password")
  func stored() throws {
    let driver = FlowDriver.signedIn()

    #expect(saved(driver.effects) == [Self.email])
    let session = driver.effects.firstIndex { if case .saveSession = $0 { true } else { false } }
    let email = driver.effects.firstIndex(of: .saveUsername(Self.email))
    #expect(try #require(session) < #require(email))
    #expect(!"\(driver.effects)".contains("demo-Technician-1"))
  }

  @Test(
    "S-03 after a session that expired the e-mail is filled in; after any other end it is erased",
    arguments: EndReason.allCases)
  func ends(_ reason: EndReason) throws {
    let driver = try ended(reason)
    let isKept = reason == .expired || reason == .passwordChanged

    #expect(driver.signIn?.email == (isKept ? Self.email.revealed : ""))
    #expect(driver.signIn?.password.isEmpty == true)
    #expect(saved(driver.effects) == [isKept ? Self.email : nil])
  }

  @Test("S-07 after the idle timeout the e-mail is filled in, and stored after the session's end")
  func idle() throws {
    var driver = FlowDriver.atJobs()
    driver.pass(seconds: FlowDriver.terms.idleTimeout)

    #expect(driver.signIn?.notice == .session(.idleTooLong))
    #expect(driver.signIn?.email == Self.email.revealed)
    let end = driver.effects.firstIndex {
      if case .savePendingRevocation = $0 { true } else { false }
    }
    let email = driver.effects.firstIndex(of: .saveUsername(Self.email))
    #expect(try #require(end) < #require(email))
  }

  @Test("P-12 a sign-out erases the e-mail, here and in another tab")
  func signOut() {
    var driver = FlowDriver.atJobs()
    driver.press(.signOut)
    #expect(driver.signIn?.notice == .signedOut && driver.signIn?.email == "")
    #expect(saved(driver.effects) == [nil])
    let left = driver.effects.compactMap {
      if case .savePendingRevocation(let text) = $0 { text } else { nil }
    }

    var other = FlowDriver.atJobs()
    other.handle(.storage(.sessionChanged(.value(left[0]))))
    #expect(other.signIn?.notice == .signedOut && other.signIn?.email == "")
    #expect(saved(other.effects) == [nil])
  }

  @Test("T-09 the stored e-mail is filled in at the next start, and the form asks for the password")
  func nextStart() {
    var driver = FlowDriver.opened()
    driver.handle(.storage(.read(.absent, username: Self.email)))
    #expect(driver.signIn?.email == Self.email.revealed)
    #expect(driver.signIn?.password.isEmpty == true)
    #expect(saved(driver.effects).isEmpty)

    driver.press(.login)
    #expect(driver.focus == .password && !driver.isCalling)
  }

  @Test("T-09 another sign-in replaces the stored e-mail")
  func another() {
    var driver = FlowDriver.opened()
    driver.handle(.storage(.read(.absent, username: Secret("other@example.com"))))
    driver.signInAgain()
    #expect(saved(driver.effects) == [Self.email])
  }

  @Test("T-09 a damaged stored e-mail fills in nothing", arguments: ["", "x", "a@b\u{7}", "@"])
  func damaged(_ text: String) {
    var driver = FlowDriver.opened()
    driver.handle(.storage(.read(.absent, username: Secret(text))))
    #expect(driver.signIn?.email == "")
  }

  @Test("T-16 an invitation fills in no e-mail of another person")
  func invitation() {
    var driver = FlowDriver.opened()
    driver.handle(.signIn(.invited(Secret("invitation"))))
    driver.handle(.storage(.read(.absent, username: Self.email)))
    #expect(driver.signIn?.email == "")
  }

  @Test("R-01 a rider signs in without an e-mail, so that none is stored")
  func rider() { #expect(saved(RiderDriver.riderSignedIn().effects).isEmpty) }
}
