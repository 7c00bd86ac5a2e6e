import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

/// A renewal whose answer has no use any more, while its request may still reach the server.
@Suite("Forgotten renewals")
struct ForgottenRenewalTests {
  private static let expired = EngineDriver.stored(1, expiresIn: 0)
  private static let answers = [
    Answer.timedOut, .unreachable,
    .received(status: 200, body: EngineDriver.tokens(2, expiresIn: 300).json, serverSeconds: nil),
  ]

  /// An app that waits for the answer to a renewal, and the identifier of the request.
  private static func renewing(
    _ driver: EngineDriver, _ stored: String = expired
  ) throws -> (EngineDriver, RequestID) {
    var driver = driver
    #expect(driver.effects.contains(.claimRenewal))
    driver.handle(.storage(.renewalClaimed(.value(stored))))
    return (driver, try #require(driver.call(to: Endpoint.token.path)).id)
  }

  private static func opened(_ stored: String = expired) -> EngineDriver {
    var driver = EngineDriver.opened()
    driver.steady = 0
    driver.handle(.storage(.read(.value(stored))))
    return driver
  }

  private static func unlocked() -> EngineDriver {
    var driver = EngineDriver.unlocking()
    driver.steady = 0
    driver.handle(.session(.unlocked(.value(expired))))
    return driver
  }

  @Test(
    "L-22 the claim lasts until the request of the renewal ends, also if another tab acts",
    arguments: [
      StorageReading.absent, .locked(card: Secret(EngineDriver.card)),
      .value(EngineDriver.stored(2, expiresIn: 90, session: "another")),
    ], answers)
  func replaced(by reading: StorageReading, answer: Answer) throws {
    var (driver, renewal) = try Self.renewing(Self.opened())

    driver.handle(.storage(.sessionChanged(reading)))
    #expect(!driver.effects.contains(.releaseRenewal))
    driver.handle(.answered(renewal, answer))
    #expect(driver.effects == [.releaseRenewal])
    driver.handle(.answered(renewal, answer))

    #expect(driver.effects.isEmpty, "a second copy of the answer")
  }

  @Test("L-22 after a sign-out the claim lasts until the renewal's request ends")
  func signedOut() throws {
    var (driver, renewal) = try Self.renewing(Self.opened())

    driver.signOut()
    #expect(driver.signedOut != nil && !driver.effects.contains(.releaseRenewal))
    driver.handle(.answered(renewal, .timedOut))

    #expect(driver.effects == [.releaseRenewal])
  }

  @Test("L-10 an app that locks and is unlocked again renews only after its earlier request ended")
  func locked() throws {
    var (driver, renewal) = try Self.renewing(Self.unlocked())
    driver.hide()
    driver.pass(seconds: 301)
    #expect(driver.lock != nil && !driver.effects.contains(.releaseRenewal))

    driver.unlock()
    driver.handle(.session(.unlocked(.value(Self.expired))))
    #expect(driver.signedIn != nil && !driver.effects.contains(.claimRenewal))
    driver.handle(.answered(renewal, .timedOut))

    #expect(driver.effects == [.releaseRenewal, .claimRenewal])
    driver.handle(.storage(.renewalClaimed(.value(Self.expired))))
    #expect(driver.lastCall?.call.form?["refresh_token"] == "refresh-1")
  }

  @Test("L-10 a session that must be confirmed is renewed only after its earlier request ended")
  func confirmed() throws {
    let stored = EngineDriver.stored(1, expiresIn: 0, unlock: "biometric")
    var (driver, renewal) = try Self.renewing(Self.opened(stored), stored)

    driver.time = driver.time.adding(seconds: 400)
    driver.handle(.ticked)
    #expect(driver.confirming != nil && driver.effects.allSatisfy { $0 != .claimRenewal })
    driver.handle(.answered(renewal, .timedOut))

    #expect(driver.effects == [.releaseRenewal, .claimRenewal])
  }

  @Test("L-22 a session that must be confirmed uses the claim that it already waits for")
  func confirmedDuringClaim() {
    let stored = EngineDriver.stored(1, expiresIn: 0, unlock: "biometric")
    var driver = Self.opened(stored)

    driver.time = driver.time.adding(seconds: 400)
    driver.handle(.ticked)
    #expect(driver.confirming != nil && driver.effects.allSatisfy { $0 != .claimRenewal })
    driver.handle(.storage(.renewalClaimed(.value(stored))))

    #expect(driver.lastCall?.call.form?["refresh_token"] == "refresh-1")
  }

  @Test("L-22 a claim that is granted after a long absence is released, and then claimed again")
  func absenceShownByClaim() {
    let stored = EngineDriver.stored(1, expiresIn: 0, unlock: "biometric")
    var (unconfirmed, sealed) = (Self.opened(stored), Self.unlocked())

    unconfirmed.time = unconfirmed.time.adding(seconds: 400)
    unconfirmed.handle(.storage(.renewalClaimed(.value(stored))))
    sealed.time = sealed.time.adding(seconds: 400)
    sealed.handle(.storage(.renewalClaimed(.value(stored))))

    #expect(unconfirmed.confirming != nil && sealed.lock != nil)
    #expect(unconfirmed.effects.first == .releaseRenewal)
    #expect(unconfirmed.effects.last == .claimRenewal)
    #expect(sealed.effects.first == .releaseRenewal)
    #expect(sealed.effects.filter { $0 == .releaseRenewal || $0 == .claimRenewal }.count == 1)
  }

  @Test("L-22 an answer to a renewal that shows a long absence releases the claim at once")
  func absenceShownByAnswer() throws {
    let stored = EngineDriver.stored(1, expiresIn: 0, unlock: "biometric")
    var (unconfirmed, _) = try Self.renewing(Self.opened(stored), stored)
    var (sealed, _) = try Self.renewing(Self.unlocked())

    unconfirmed.serverAheadSeconds = 400
    unconfirmed.answer(503, .null)
    sealed.serverAheadSeconds = 400
    sealed.answer(503, .null)

    #expect(unconfirmed.confirming != nil && sealed.lock != nil)
    #expect(unconfirmed.effects.first == .releaseRenewal)
    #expect(unconfirmed.effects.last == .claimRenewal)
    #expect(sealed.effects.first == .releaseRenewal)
  }
}
