import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

/// An app with its own screens: any client id and scopes, and no built-in home.
@Suite struct OwnAppFlowTests {
  private func signedIn() -> Walk {
    var walk = Walk()
    walk.happen(
      .started(
        utcOffsetSeconds: 0,
        app: AppProfile(
          clientID: "orders-app", signInKind: .passwordAndCode, scope: "openid orders")))
    walk.happen(.storageRead(.absent))
    walk.signInAgain()
    return walk
  }

  private func called(_ effects: [Effect]) -> [String] {
    effects.compactMap { if case .call(_, let call) = $0 { call.path } else { nil } }
  }

  @Test("An unknown app signs in with its own scopes and reads no built-in list")
  func signIn() {
    var walk = Walk()
    let app = AppProfile(clientID: "orders-app", signInKind: .passwordAndCode, scope: "a b")
    walk.happen(.started(utcOffsetSeconds: 0, app: app))
    walk.happen(.storageRead(.absent))
    walk.happen(.fieldEdited(.email, "tech@example.com"))
    walk.happen(.fieldEdited(.password, "demo-Technician-1"))
    walk.submit()
    #expect(walk.lastCall?.call.form?["client_id"] == "orders-app")
    #expect(walk.lastCall?.call.form?["scope"] == "a b")

    walk = signedIn()

    #expect(walk.signedIn?.home == nil)
    #expect(Set(called(walk.effects)) == [Endpoint.me, Endpoint.sessionEvents])
  }

  @Test("An unknown app continues with a stored session and signs out")
  func resume() throws {
    let text = try #require(signedIn().renewingSession?.record.text.revealed)
    var walk = Walk()
    walk.happen(
      .started(
        utcOffsetSeconds: 0,
        app: AppProfile(clientID: "orders-app", signInKind: .passwordAndCode, scope: "openid")))
    walk.happen(.storageRead(.value(text)))
    #expect(walk.signedIn != nil || walk.flow.phase == .locked(.confirmationNeeded))

    walk = signedIn()
    walk.press(.signOut)
    #expect(walk.flow.phase == .signedOut(.signedOut))
    #expect(!walk.effects.contains(.offlineCopy(.erase(name: "jobs"))))
  }

  @Test("P-06 a valid token is handed out, and is renewed before it expires")
  func token() throws {
    var walk = signedIn()
    walk.happen(.home(.tokenAsked(ticket: 1)))
    #expect(walk.effects.contains(.handOverToken(ticket: 1, Secret("access-1"))))

    walk.elapse(seconds: 280)
    walk.happen(.home(.tokenAsked(ticket: 2)))
    #expect(walk.effects.contains(.claimRenewal))
    let stored = try #require(walk.renewingSession?.record.text.revealed)
    walk.happen(.renewalClaimed(.value(stored)))
    walk.answer(200, Walk.tokens(2, expiresIn: 300).json)

    #expect(walk.effects.contains(.handOverToken(ticket: 2, Secret("access-2"))))
  }

  @Test("P-06 every caller that waits for a token learns of a failed renewal")
  func refused() throws {
    var walk = signedIn()
    walk.elapse(seconds: 280)
    walk.happen(.home(.tokenAsked(ticket: 1)))
    walk.happen(.home(.tokenAsked(ticket: 2)))
    let stored = try #require(walk.renewingSession?.record.text.revealed)
    walk.happen(.renewalClaimed(.value(stored)))

    walk.fail()

    #expect(walk.effects.contains(.handOver(ticket: 1, .noNetwork)))
    #expect(walk.effects.contains(.handOver(ticket: 2, .noNetwork)))
  }

  @Test("S-06 the renewals after a lock follow even if storage has a newer record")
  func renewedAfterLock() throws {
    var walk = signedIn()
    walk.happen(.device(.lockSupportChecked(true)))
    walk.press(.setLock)
    walk.happen(.device(.lockSet))
    let own = try #require(walk.renewingSession?.record.text.revealed)
    let newer = own.split(separator: "refresh-1", omittingEmptySubsequences: false)
      .joined(separator: "refresh-9")

    walk.happen(.renewalClaimed(.value(newer)))

    #expect(walk.effects.contains(.releaseRenewal) && walk.effects.contains(.claimRenewal))
    walk.happen(.renewalClaimed(.value(newer)))
    #expect(walk.lastCall?.call.form?["refresh_token"] == "refresh-9")
  }
}
