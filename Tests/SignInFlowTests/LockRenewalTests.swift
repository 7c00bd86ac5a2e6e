import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("Renewals after a lock was set")
struct LockRenewalTests {
  @Test(
    "S-06 after a lock is set the token is renewed twice, so that the one stored before is invalid")
  func renewedAfterLock() throws {
    var driver = FlowDriver.settingLock()
    driver.happen(.session(.lockSet))
    #expect(driver.effects.contains(.claimRenewal))

    for number in Int64(1)...2 {
      let stored = try #require(driver.renewingSession?.record.text.revealed)
      driver.happen(.storage(.renewalClaimed(.value(stored))))
      #expect(driver.lastCall?.call.form?["refresh_token"] == "refresh-\(number)")
      driver.answer(200, FlowDriver.tokens(number + 1, expiresIn: 300).json)
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
    var driver = FlowDriver.settingLock()
    driver.happen(.session(.lockSet))
    let stored = try #require(driver.renewingSession?.record.text.revealed)
    driver.happen(.storage(.renewalClaimed(.value(stored))))
    driver.answer(200, FlowDriver.tokens(2, expiresIn: 300).json)

    driver.press(.refresh)
    #expect(driver.lastCall?.call.authorization == .proofWithToken(Secret("access-2")))
    driver.pass(seconds: seconds)

    #expect(driver.effects.contains(.claimRenewal) == isRenewing)
  }

  @Test("S-06 the renewals after a lock follow even if the account is read in between")
  func renewedBesideTheAccount() throws {
    var driver = FlowDriver.signedIn()
    let account = try #require(driver.call(to: Endpoint.me.path))
    driver.happen(.session(.lockSupportChecked(true)))
    driver.press(.setLock)
    driver.happen(.session(.lockSet))
    let stored = try #require(driver.renewingSession?.record.text)
    driver.happen(
      .answered(
        account.id,
        .received(
          status: 200, body: FlowDriver.account.json, serverSeconds: driver.serverNow.seconds)))

    driver.happen(.storage(.renewalClaimed(.value(stored.revealed))))

    #expect(driver.effects == [.releaseRenewal, .claimRenewal])
    driver.happen(.storage(.renewalClaimed(.value(stored.revealed))))
    #expect(driver.lastCall?.call.form?["refresh_token"] == "refresh-1")
  }

  @Test("L-25 without a network the renewals after a lock wait for the next request")
  func renewedLater() throws {
    var driver = FlowDriver.settingLock()
    driver.happen(.session(.lockSet))
    let stored = try #require(driver.renewingSession?.record.text.revealed)
    driver.happen(.storage(.renewalClaimed(.value(stored))))

    driver.fail()

    #expect(driver.effects == [.releaseRenewal])
    driver.press(.refresh)
    #expect(driver.effects.contains(.claimRenewal))
  }
}
