import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

/// How an open app learns about its session.
@Suite struct SessionWatchTests {
  private static let path = "/api/session/events"

  private func update(_ version: String, unlock: String = "none") -> JSON {
    .members([
      JSONMember("version", version),
      JSONMember("session", EngineDriver.terms(of: "session-1", unlock: unlock).json),
    ])
  }

  private func watching() throws -> (driver: EngineDriver, id: RequestID) {
    let driver = EngineDriver.signedIn()
    return (driver, try #require(driver.call(to: Self.path)).id)
  }

  private func received(_ status: Int64, _ body: JSON) -> Answer {
    .received(status: status, body: body, serverSeconds: nil)
  }

  @Test("S-08 an open app waits for account updates, and waits again after each answer")
  func holds() throws {
    var (driver, id) = try watching()

    driver.handle(.answered(id, received(200, update("v1"))))

    let again = try #require(driver.call(to: Self.path + "?seen=v1"))
    #expect(again.call.timeoutSeconds > 50)
  }

  @Test(
    "S-08 a session ended elsewhere is reported by the waiting request, with a text for each reason"
  )
  func ended() throws {
    for reason in EndReason.allCases {
      var (driver, id) = try watching()
      let body = JSON.members([
        JSONMember("code", "session_ended"), JSONMember("reason", reason.rawValue),
      ])

      driver.handle(.answered(id, received(401, body)))
      driver.grantClaim()
      driver.refuse(.invalidGrant) { $0.reason = reason.rawValue }

      #expect(driver.signedOut?.notice == reason.notice)
      #expect(driver.erasesWhatItHeld)
    }
  }

  @Test("S-05 S-08 the old session of a switch in another tab does not end the new session")
  func switchedInAnotherTab() throws {
    for isStored in [true, false] {
      var (driver, id) = try watching()
      let body = JSON.members([
        JSONMember("code", "session_ended"), JSONMember("reason", "signed_out"),
      ])
      driver.handle(.answered(id, received(401, body)))
      let south = EngineDriver.terms(of: "session-2", organization: "south")

      if isStored {
        let other = SessionRecord(
          EngineDriver.tokens(2, expiresIn: 300, terms: south), at: driver.time)
        driver.handle(.storage(.renewalClaimed(.value(other.text.revealed))))
      } else {
        driver.grantClaim()
        driver.answer(200, EngineDriver.tokens(2, expiresIn: 300, terms: south).json)
      }

      #expect(driver.renewingSession?.record.terms.id == SessionID("session-2"))
      #expect(driver.call(to: Self.path) != nil)
    }
  }

  @Test("S-08 a hidden app requests no account updates")
  func hidden() throws {
    var (driver, id) = try watching()

    driver.hide()
    #expect(driver.effects.contains(.cancelCall(id)))
    driver.handle(.answered(id, .noNetwork))
    driver.pass(seconds: 200)
    #expect(driver.call(to: Self.path) == nil)

    driver.show()
    #expect(driver.call(to: Self.path) != nil)
  }

  @Test("L-25 a failed wait is repeated later, not at once")
  func backOff() throws {
    var (driver, id) = try watching()
    driver.handle(.answered(id, received(503, .null)))
    #expect(!driver.isCalling)

    driver.pass(seconds: 4)
    #expect(driver.call(to: Self.path) == nil)
    driver.pass(seconds: 1)

    #expect(driver.call(to: Self.path) != nil)
  }

  @Test("P-06 a wait whose token has expired continues with a new one")
  func renewed() throws {
    var (driver, id) = try watching()

    driver.handle(.answered(id, received(401, .members([JSONMember("code", "invalid_token")]))))
    #expect(driver.effects.contains(.claimRenewal))
    driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(1, expiresIn: 300)))))
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 300).json)

    #expect(driver.call(to: Self.path)?.call.authorization == .proofWithToken(Secret("access-2")))
  }

  @Test("S-07 new times of the organization apply as soon as they arrive")
  func newTerms() throws {
    var (driver, id) = try watching()

    driver.handle(.answered(id, received(200, update("v2", unlock: "biometric"))))

    #expect(driver.renewingSession?.record.terms.needsLock == true)
    #expect(driver.effects.contains { if case .replaceSession = $0 { true } else { false } })
  }

  // MARK: Other sessions of the person
}
