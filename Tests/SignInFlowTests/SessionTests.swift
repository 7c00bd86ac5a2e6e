import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite struct SessionTests {
  private func reopened(_ number: Int64, expiresIn: Int64) -> FlowDriver {
    var driver = FlowDriver.opened()
    driver.handle(.storage(.read(.value(FlowDriver.stored(number, expiresIn: expiresIn)))))
    return driver
  }

  @Test("P-11 an app reopened with a valid token shows the jobs at once")
  func reopens() {
    let driver = reopened(1, expiresIn: 300)

    #expect(driver.renewingSession != nil)
    #expect(driver.call(to: "/api/jobs")?.call.authorization == .proofWithToken(Secret("access-1")))
  }

  @Test("S-08 storage that cannot be read, or has a later version, signs no session out")
  func unreadable() {
    for reading in [
      StorageReading.temporarilyUnreadable, .value("{\"version\":3}"), .value("{\"version\":99}"),
    ] {
      var driver = FlowDriver.opened()
      driver.handle(.storage(.read(reading)))
      #expect(driver.flow.stage == .storageUnreadable)
      #expect(!driver.effects.contains(.eraseSession))

      driver.press(.tryAgain)
      #expect(driver.effects.contains(.readSession))
      driver.handle(.storage(.read(.temporarilyUnreadable)))
      driver.press(.signInAgain)
      #expect(driver.signIn != nil)
    }
  }

  @Test("T-16 the jobs and the account arrive in any order")
  func jobsAndAccount() {
    let driver = FlowDriver.atJobs()

    #expect(driver.signedIn?.account.value?.name == "Tess Technician")
    #expect(driver.jobs?.value?.jobs.count == 1)
    #expect(driver.jobs?.loading == nil)
  }

  @Test("T-16 Refresh reads again, one request at a time, and announces the number of jobs")
  func refresh() {
    var driver = FlowDriver.atJobs()

    driver.press(.refresh)
    #expect(driver.announcements == [.updatingJobs])
    let effects = driver.output
    driver.press(.refresh)
    #expect(driver.effects.isEmpty)
    driver.output = effects
    driver.answerJobs()

    #expect(driver.announcements == [.jobsListed(1)])
  }

  @Test("T-07 without a network the jobs stay, and are read again when it returns")
  func jobsOffline() {
    var driver = FlowDriver.atJobs()
    driver.press(.refresh)

    driver.fail(.noNetwork)
    #expect(driver.jobs?.isOffline == true)
    #expect(driver.jobs?.value?.jobs.count == 1)
    driver.handle(.device(.networkReturned))
    #expect(driver.call(to: "/api/jobs") != nil)
    driver.answerJobs()
    #expect(driver.jobs?.isOffline == false)
  }

  @Test("T-07 retries have growing pauses, up to a minute")
  func backOff() {
    var driver = FlowDriver.atJobs()
    driver.press(.refresh)
    for wait: Int64 in [5, 10, 20, 40, 60, 60] {
      driver.fail(.noNetwork)
      driver.pass(seconds: wait - 1)
      #expect(!driver.isCalling)
      driver.pass(seconds: 1)
      #expect(driver.isCalling)
    }
  }

  @Test("L-32 a pending revocation that was unreadable until a sign-in replaced it is sent")
  func overPendingRevocation() throws {
    var driver = FlowDriver.opened()
    driver.handle(.storage(.read(.temporarilyUnreadable)))
    driver.press(.signInAgain)
    driver.signInAgain()
    let left = StoredSession.signedOut(
      PendingRevocations(
        [Secret("refresh-00"), Secret("refresh-0")],
        unreadableSession: SessionID("session-00")))

    driver.handle(.storage(.storedSessionReplaced(.value(try #require(left.text)))))

    let revoked = driver.effects.compactMap { effect in
      if case .call(_, let call) = effect { call.form?["token"] } else { nil }
    }
    #expect(revoked == ["refresh-00", "refresh-0"])
    #expect(driver.call(to: "/api/sessions/session-00")?.call.method == .delete)
  }

  @Test("P-07 Not now ends the offer; the menu still offers the lock")
  func declined() {
    var driver = FlowDriver.signedIn()
    driver.handle(.session(.lockSupportChecked(true)))

    driver.press(.notNow)
    driver.handle(.session(.lockSupportChecked(true)))

    #expect(driver.signedIn?.sheet == nil)
    driver.press(.setLock)
    #expect(!driver.effects.isEmpty)
  }
}
