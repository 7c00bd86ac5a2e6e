import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// A sign-in that waits for a code survives the end of the app.
@Suite("Pending codes")
struct PendingCodeTests {
  private func reopened(_ stored: Secret?) -> FlowDriver { reopened(stored, .technician) }

  /// Opens the app again with what storage contains.
  private func reopened<Home: AppHome>(_ stored: Secret?, _ app: AppProfile) -> AppDriver<Home> {
    var driver = AppDriver<Home>()
    driver.time = driver.time.adding(seconds: 30)
    driver.handle(.started(utcOffsetSeconds: 3600, app: app))
    driver.handle(.storage(.read(.absent, pending: stored)))
    return driver
  }

  @Test("L-47 the code screen returns with its countdown, and the code signs in")
  func returns() throws {
    var first = FlowDriver.atCode()
    let stored = try #require(first.storedSignIn())
    let prompt = try #require(first.entry?.prompt)
    #expect(!stored.revealed.contains("demo-Technician-1"))
    first.handle(.page(.fieldEdited(.code, "12")))
    #expect(first.ownEffects == [])

    var second = reopened(stored)
    #expect(second.entry?.prompt.expiresAt == prompt.expiresAt)
    #expect(second.entry?.prompt.resendAt == prompt.resendAt)
    #expect(second.signIn?.email == "tech@example.com")
    #expect(second.focus == .code)
    #expect(second.announcements.contains(.codeSent(destination: "***-***-1234")))
    second.handle(.page(.fieldEdited(.code, "123456")))
    let form = try #require(second.lastCall?.call.form)
    #expect(form[.authSession] == "session-1")
    second.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    #expect(second.lastCall?.call.form?[.codeVerifier] == "verifier")
    second.answer(200, FlowDriver.tokens(1, expiresIn: 300).json)

    #expect(second.signedIn != nil)
    let save = second.effects.firstIndex {
      if case .saveSession = $0 { true } else { false }
    }
    let erase = second.effects.firstIndex(of: .erasePendingSignIn)
    #expect(try #require(save) < #require(erase), "one of them is stored at any time")
  }

  @Test("L-27 a rider returns to the code field, and Change shows the number")
  func rider() throws {
    let stored = try #require(RiderDriver.riderAtCode().storedSignIn())

    var driver: RiderDriver = reopened(stored, .rider)

    #expect(driver.riderEntry?.prompt.destination == "***-***-1234")
    driver.press(.changeNumber)
    #expect(driver.rider?.step == .enteringNumber)
    #expect(driver.rider?.number.text.isEmpty == false)
    #expect(driver.effects.contains(.erasePendingSignIn))
  }

  @Test("R-05 a rider who returns to the number within the cooldown gets the code field")
  func riderWithinCooldown() {
    var driver: RiderDriver = reopened(RiderDriver.riderAtCode().storedSignIn(), .rider)
    driver.press(.changeNumber)
    driver.askForCode()
    let resendAt = driver.serverNow.adding(seconds: 20)

    driver.refuse(.resendTooSoon) { $0.resendAt = resendAt }

    #expect(driver.riderEntry != nil)
    #expect(driver.storedSignIn() != nil)
  }

  @Test("L-47 a right code whose tokens got lost is not asked for again")
  func redeemsAgain() throws {
    let redeeming = FlowDriver.redeeming()
    let stored = try #require(redeeming.storedSignIn())
    let save = redeeming.effects.firstIndex {
      if case .savePendingSignIn = $0 { true } else { false }
    }
    let call = redeeming.effects.firstIndex { if case .call = $0 { true } else { false } }
    #expect(try #require(save) < #require(call), "it is stored before the request")

    var driver = reopened(stored)
    driver.press(.verify)

    #expect(driver.lastCall?.call.path == Endpoint.token.path)
    #expect(driver.lastCall?.call.form?[.code] == "code-1")
  }

  @Test("L-47 a code after a sign-in at a provider returns too")
  func provider() throws {
    var first = MentorDriver.redeemingProvider()
    first.sendCode()
    let stored = try #require(first.storedSignIn())

    var driver: MentorDriver = reopened(stored, .mentor)

    guard case .enteringCode? = driver.providerSignIn?.step else {
      Issue.record("no code screen")
      return
    }
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.answer(200, .members([JSONMember("authorization_code", "code-2")]))
    driver.answer(200, FlowDriver.tokens(1, expiresIn: 300).json)
    #expect(driver.signedIn != nil)
    #expect(driver.storedSignIn(after: stored) == nil)
  }

  @Test("L-47 a tab that shows the code screen again follows a sign-in in another tab")
  func follows() throws {
    let stored = try #require(FlowDriver.atCode().storedSignIn())
    let other = FlowDriver.signedIn()
    let saved = other.effects.compactMap { effect -> Secret? in
      if case .saveSession(let text) = effect { text } else { nil }
    }
    let session = try #require(saved.first)

    var driver = reopened(stored)
    driver.handle(.storage(.sessionChanged(.value(session))))
    #expect(driver.effects.contains(.readSession))

    driver = reopened(stored)
    driver.handle(.page(.fieldEdited(.code, "1")))
    driver.handle(.storage(.sessionChanged(.value(session))))
    #expect(!driver.effects.contains(.readSession))
  }
}
