import EngineTesting
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

/// An app with its own screens: any client id and scopes, and no built-in home.
@Suite struct OwnAppFlowTests {
  private func called(_ effects: [Effect]) -> [String] {
    effects.compactMap { if case .call(_, let call) = $0 { call.path } else { nil } }
  }

  @Test("An unknown app signs in with its own scopes and reads no built-in list")
  func signIn() {
    var driver = EngineDriver()
    let app = AppProfile(clientID: "orders-app", signInKind: .passwordAndCode, scope: "a b")
    driver.handle(.started(utcOffsetSeconds: 0, app: app))
    driver.handle(.storage(.read(.absent)))
    driver.signIn()
    #expect(driver.lastCall?.call.form?["client_id"] == "orders-app")
    #expect(driver.lastCall?.call.form?["scope"] == "a b")

    driver = EngineDriver.signedIn()

    #expect(driver.signedIn?.home == NoHome())
    #expect(Set(called(driver.effects)) == [Endpoint.me.path, Endpoint.sessionEvents.path])
  }

  @Test("An unknown app continues with a stored session and signs out")
  func resume() throws {
    let text = try #require(EngineDriver.signedIn().renewingSession?.record.text.revealed)
    var driver = EngineDriver()
    driver.handle(
      .started(
        utcOffsetSeconds: 0,
        app: AppProfile(clientID: "orders-app", signInKind: .passwordAndCode, scope: "openid")))
    driver.handle(.storage(.read(.value(text))))
    #expect(driver.signedIn != nil || driver.flow.phase == .locked(.confirmationNeeded))

    driver = EngineDriver.signedIn()
    driver.signOut()
    #expect(driver.flow.phase == .signedOut(.signedOut))
    #expect(!driver.effects.contains(.offlineCopy(.erase(name: "jobs"))))
  }

  @Test("P-06 a valid token is handed out, and is renewed before it expires")
  func token() throws {
    var driver = EngineDriver.signedIn()
    driver.askToken(ticket: 1)
    #expect(driver.flow.takeReplies() == [.token(1, "access-1")])

    driver.elapse(seconds: 280)
    driver.askToken(ticket: 2)
    #expect(driver.effects.contains(.claimRenewal))
    let stored = try #require(driver.renewingSession?.record.text.revealed)
    driver.handle(.storage(.renewalClaimed(.value(stored))))
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 300).json)

    #expect(driver.flow.takeReplies() == [.token(2, "access-2")])
  }

  @Test("P-06 every caller that waits for a token learns of a failed renewal")
  func refused() throws {
    var driver = EngineDriver.signedIn()
    driver.elapse(seconds: 280)
    driver.askToken(ticket: 1)
    driver.askToken(ticket: 2)
    let stored = try #require(driver.renewingSession?.record.text.revealed)
    driver.handle(.storage(.renewalClaimed(.value(stored))))

    driver.fail()

    #expect(
      driver.flow.takeReplies() == [
        TicketReply(ticket: 1, content: .answer(.noNetwork)),
        TicketReply(ticket: 2, content: .answer(.noNetwork)),
      ])
    #expect(driver.flow.takeReplies() == [])
  }

  @Test("S-06 the renewals after a lock follow even if storage has a newer record")
  func renewedAfterLock() throws {
    var driver = EngineDriver.signedIn()
    driver.handle(.session(.lockSupportChecked(true)))
    driver.setLock()
    driver.handle(.session(.lockSet))
    let own = try #require(driver.renewingSession?.record.text.revealed)
    let newer = own.split(separator: "refresh-1", omittingEmptySubsequences: false)
      .joined(separator: "refresh-9")

    driver.handle(.storage(.renewalClaimed(.value(newer))))

    #expect(driver.effects.contains(.releaseRenewal) && driver.effects.contains(.claimRenewal))
    driver.handle(.storage(.renewalClaimed(.value(newer))))
    #expect(driver.lastCall?.call.form?["refresh_token"] == "refresh-9")
  }
}

extension TicketReply {
  fileprivate static func token(_ ticket: Int64, _ text: String) -> TicketReply {
    TicketReply(ticket: ticket, content: .token(Secret(text)))
  }
}
