import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

@Suite("Renewals after a lock was set")
struct LockRenewalTests {
  @Test(
    "S-06 after a lock is set the token is renewed twice, so that the one stored before is invalid")
  func renewedAfterLock() throws {
    var driver = EngineDriver.settingLock()
    driver.handle(.session(.lockSet))
    #expect(driver.effects.contains(.claimRenewal))

    for number in Int64(1)...2 {
      let stored = try #require(driver.renewingSession?.record.text.revealed)
      driver.handle(.storage(.renewalClaimed(.value(stored))))
      #expect(driver.lastCall?.call.form?["refresh_token"] == "refresh-\(number)")
      driver.answer(200, EngineDriver.tokens(number + 1, expiresIn: 300).json)
      #expect(!driver.effects.contains(.claimRenewal))
      driver.pass(seconds: RenewingSession.secondRenewalSeconds)
      #expect(driver.effects.contains(.claimRenewal) == (number == 1))
    }
  }

  @Test(
    "L-10 the second renewal after a lock waits until a request of another tab has ended",
    arguments: [
      (RenewingSession.secondRenewalSeconds - 1, false),
      (RenewingSession.secondRenewalSeconds, true),
    ])
  func secondRenewal(seconds: Int64, isRenewing: Bool) throws {
    var driver = EngineDriver.settingLock()
    driver.handle(.session(.lockSet))
    let stored = try #require(driver.renewingSession?.record.text.revealed)
    driver.handle(.storage(.renewalClaimed(.value(stored))))
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 300).json)

    driver.request()
    #expect(driver.lastCall?.call.authorization == .proofWithToken(Secret("access-2")))
    driver.pass(seconds: seconds)

    #expect(driver.effects.contains(.claimRenewal) == isRenewing)
  }

  @Test("S-06 the renewals after a lock follow even if the account is read in between")
  func renewedBesideTheAccount() throws {
    var driver = EngineDriver.signedIn()
    let account = try #require(driver.call(to: Endpoint.me.path))
    driver.handle(.session(.lockSupportChecked(true)))
    driver.setLock()
    driver.handle(.session(.lockSet))
    let stored = try #require(driver.renewingSession?.record.text)
    driver.handle(
      .answered(
        account.id,
        .received(
          status: 200, body: EngineDriver.account.json, serverSeconds: driver.serverNow.seconds)))

    driver.handle(.storage(.renewalClaimed(.value(stored.revealed))))

    #expect(driver.effects == [.releaseRenewal, .claimRenewal])
    driver.handle(.storage(.renewalClaimed(.value(stored.revealed))))
    #expect(driver.lastCall?.call.form?["refresh_token"] == "refresh-1")
  }

  @Test("L-25 without a network the renewals after a lock wait for the next request")
  func renewedLater() throws {
    var driver = EngineDriver.settingLock()
    driver.handle(.session(.lockSet))
    let stored = try #require(driver.renewingSession?.record.text.revealed)
    driver.handle(.storage(.renewalClaimed(.value(stored))))

    driver.fail()

    #expect(driver.effects == [.releaseRenewal])
    driver.request()
    #expect(driver.effects.contains(.claimRenewal))
  }

  // MARK: The second renewal is planned again

  /// The first renewal after a lock was successful, and the app has the claim of the second one.
  private static func claimingAgain() throws -> EngineDriver {
    var driver = EngineDriver.settingLock()
    driver.handle(.session(.lockSet))
    let stored = try #require(driver.renewingSession?.record.text.revealed)
    driver.handle(.storage(.renewalClaimed(.value(stored))))
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 600).json)
    driver.pass(seconds: RenewingSession.secondRenewalSeconds)
    #expect(driver.effects.contains(.claimRenewal))
    return driver
  }

  @Test(
    "S-06 the second renewal after a lock is tried again after a failure",
    arguments: [
      Answer.noNetwork, .timedOut, .received(status: 503, body: .null, serverSeconds: nil),
    ])
  func secondRenewalFails(answer: Answer) throws {
    var driver = try Self.claimingAgain()
    let stored = try #require(driver.renewingSession?.record.text.revealed)
    driver.handle(.storage(.renewalClaimed(.value(stored))))

    driver.fail(answer)
    driver.pass(seconds: RenewingSession.secondRenewalSeconds - 1)
    #expect(!driver.effects.contains(.claimRenewal))
    driver.pass(seconds: 1)

    #expect(driver.effects.contains(.claimRenewal))
    driver.handle(.storage(.renewalClaimed(.value(stored))))
    driver.answer(200, EngineDriver.tokens(3, expiresIn: 600).json)
    driver.pass(seconds: RenewingSession.secondRenewalSeconds)
    #expect(!driver.effects.contains(.claimRenewal), "complete")
  }

  @Test("S-06 the second renewal after a lock follows a newer record in storage")
  func secondRenewalFindsNewerRecord() throws {
    var driver = try Self.claimingAgain()
    driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(3, expiresIn: 600)))))
    #expect(!driver.effects.contains(.claimRenewal))

    driver.pass(seconds: RenewingSession.secondRenewalSeconds)

    #expect(driver.effects.contains(.claimRenewal))
  }

  @Test("S-06 a session that starts again makes the renewals that a lock requires")
  func startedAgain() throws {
    var context = FlowContext()
    context.setTime(at: EngineDriver.startTime)
    var session = RenewingSession(
      SessionRecord(EngineDriver.tokens(1, expiresIn: 600), at: EngineDriver.startTime),
      isStored: true)
    #expect(session.lockSet() == [.claimRenewal])

    session = session.restarted()
    let stored = StorageReading.value(session.record.text.revealed)
    let effects = session.renewalClaimed(stored, &context)
    guard case .call(let renewal, _)? = effects.first else {
      Issue.record("no renewal follows the claim")
      return
    }
    let body = EngineDriver.tokens(2, expiresIn: 600).json
    _ = session.answered(
      renewal, .received(status: 200, body: body, serverSeconds: nil), &context)
    session = session.restarted()

    context.setTime(
      at: EngineDriver.startTime.adding(seconds: RenewingSession.secondRenewalSeconds - 1))
    #expect(session.tick(context).isEmpty)
    context.setTime(
      at: EngineDriver.startTime.adding(seconds: RenewingSession.secondRenewalSeconds))
    #expect(session.tick(context) == [.claimRenewal])
  }
}
