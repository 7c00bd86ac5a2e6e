import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

@Suite("Replaced sessions and pending revocations, and lost storage")
struct ReplacedSessionTests {
  private static let card =
    #"{"version":1,"name":"Tess","organization":"north","session":"session-0"}"#

  private static func replaced(_ driver: EngineDriver) -> (old: String, new: String)? {
    for effect in driver.effects {
      if case .replaceSession(let old, let new) = effect { return (old.revealed, new.revealed) }
    }
    return nil
  }

  /// A signed-in app and its stored record with one more member.
  private static func stored(
    _ member: JSONMember, expiresIn: Int64 = 300
  ) throws -> (driver: EngineDriver, text: String) {
    let text = EngineDriver.stored(1, expiresIn: expiresIn)
    let json = try JSONReader.read(Array(text.utf8))
    guard case .object(let own) = json else { preconditionFailure("a record is an object") }
    let whole = JSON.object(own + [member]).utf8.text
    let driver = EngineDriver.opened(.value(whole))
    return (driver, whole)
  }

  // MARK: Replaced records

  @Test("S-04 a session that a sign-in replaced ends at the server, even after a restart")
  func overAnother() throws {
    var driver = EngineDriver.signedIn()

    let stored = EngineDriver.stored(7, expiresIn: 300, session: "session-7")
    driver.handle(.storage(.storedSessionReplaced(.value(stored))))

    #expect(driver.call(to: Endpoint.revoke.path)?.call.form?["token"] == "refresh-7")
    let kept = try #require(Self.replaced(driver)).new
    #expect(kept.contains(#""owed":["refresh-7"]"#))
    var again = EngineDriver.opened()
    again.handle(.storage(.read(.value(kept))))
    #expect(again.call(to: Endpoint.revoke.path)?.call.form?["token"] == "refresh-7")
  }

  /// Another tab stored session 7 during a sign-in, which has just begun session 1.
  private static func signedInOver(_ readings: [StorageReading] = []) -> EngineDriver {
    var driver = EngineDriver.signedOut()
    driver.signIn()
    let asked = driver.effects
    let other = EngineDriver.stored(7, expiresIn: 300, session: "session-7")
    for reading in [.value(other)] + readings { driver.handle(.storage(.sessionChanged(reading))) }
    driver.effects = asked
    driver.sendCode()
    driver.submit(code: "123456")
    driver.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    driver.answer(200, EngineDriver.tokens(1, expiresIn: 300).json)
    return driver
  }

  @Test("S-04 the first record of a session revokes what another tab stored during the sign-in")
  func storedDuringSignIn() throws {
    var driver = Self.signedInOver([.temporarilyUnreadable])

    guard case .saveSession(let text)? = driver.effects.first else {
      Issue.record("\(driver.effects)")
      return
    }
    #expect(text.revealed.contains(#""owed":["refresh-7"]"#))
    #expect(driver.call(to: Endpoint.revoke.path) == nil)
    driver.handle(.storage(.storedSessionReplaced(.absent)))
    #expect(driver.call(to: Endpoint.revoke.path)?.call.form?["token"] == "refresh-7")
  }

  @Test("S-04, L-34 a session that storage refuses ends no session of another tab")
  func refusedOverAnother() throws {
    var driver = Self.signedInOver()

    driver.handle(.storage(.saveFailed))
    #expect(driver.call(to: Endpoint.revoke.path) == nil)
    driver.signOut()

    let kept = PendingRevocations([Secret("refresh-1")]).text
    #expect(driver.effects.first == .savePendingRevocation(kept))
  }

  @Test("S-04 a session that ended in another tab during the sign-in is not revoked again")
  func endedDuringSignIn() throws {
    let left = PendingRevocations([Secret("refresh-7")]).text
    for reading in [StorageReading.absent, .damaged, .value(left.revealed)] {
      let driver = Self.signedInOver([reading])

      guard case .saveSession(let text)? = driver.effects.first else {
        Issue.record("\(driver.effects)")
        continue
      }
      let isPending = reading == .value(left.revealed)
      #expect(text.revealed.contains("refresh-7") == isPending, "\(reading)")
    }
  }

  @Test("L-22, S-04 a pending revocation is stored again if another tab changed the record first")
  func overtaken() throws {
    var driver = EngineDriver.signedIn()
    let replaced = EngineDriver.stored(7, expiresIn: 300, session: "session-7")
    driver.handle(.storage(.storedSessionReplaced(.value(replaced))))
    let first = try #require(Self.replaced(driver))

    driver.handle(.storage(.sessionChanged(.value(EngineDriver.stored(2, expiresIn: 300)))))

    let second = try #require(Self.replaced(driver))
    #expect(second.old != first.old)
    #expect(second.new.contains(#""owed":["refresh-7"]"#))
    #expect(driver.call(to: Endpoint.revoke.path) == nil)
  }

  @Test("L-32 a locked session that a sign-in replaced is ended on behalf of its account")
  func overLock() throws {
    var driver = EngineDriver.signedIn()

    driver.handle(.storage(.storedSessionReplaced(.locked(card: Secret(Self.card)))))

    #expect(driver.call(to: "/api/sessions/session-0")?.call.method == .delete)
    #expect(try #require(Self.replaced(driver)).new.contains(#""left_behind":"session-0""#))
  }

  @Test("L-32 a session left behind a lock stays recorded after a sign-out, until the next sign-in")
  func lockOverSignOut() throws {
    var driver = try Self.stored(JSONMember("left_behind", "session-0")).driver
    driver.signOut()
    let left = PendingRevocations([Secret("refresh-1")], unreadableSession: SessionID("session-0"))
    #expect(driver.effects.first == .savePendingRevocation(left.text))

    driver.answer(200, .null)

    #expect(driver.effects.isEmpty)
    var again = EngineDriver.opened()
    again.handle(.storage(.read(.value(left.text.revealed))))
    #expect(again.signedOut?.notice == nil)
    #expect(again.call(to: Endpoint.revoke.path)?.call.form?["token"] == "refresh-1")
  }

  @Test("L-32 a session that the server ends keeps its pending revocations")
  func endedWithPendingRevocations() throws {
    var (driver, text) = try Self.stored(
      JSONMember("owed", .array([.string("refresh-0")])), expiresIn: 0)
    driver.handle(.storage(.renewalClaimed(.value(text))))
    let before = try #require(driver.renewingSession).record.text

    driver.refuse(.invalidGrant) { $0.reason = EndReason.revoked.rawValue }

    #expect(driver.signedOut?.notice == .session(.revoked))
    let left = PendingRevocations([Secret("refresh-0")])
    #expect(driver.effects.first == .replaceSession(before, with: left.text))
    text = left.text.revealed
    var again = EngineDriver.opened()
    again.handle(.storage(.read(.value(text))))
    #expect(again.call(to: Endpoint.revoke.path) != nil)
  }

  // MARK: Lost records

  /// An app that has switched from north to south.
  ///
  /// Storage may not have accepted the new session.
  private static func moved() -> EngineDriver {
    var driver = EngineDriver.active()
    driver.switchOrganization(to: "south")
    driver.grantClaim()
    let terms = EngineDriver.terms(of: "session-2", organization: "south")
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 0, terms: terms).json)
    return driver
  }

  @Test("S-05 another tab that erases the old session leaves the new one open")
  func erasedAfterMove() throws {
    var driver = Self.moved()
    driver.handle(.storage(.sessionChanged(.temporarilyUnreadable)))
    driver.handle(.storage(.sessionChanged(.absent)))
    #expect(driver.signedIn != nil)

    driver.handle(.storage(.renewalClaimed(.absent)))

    #expect(driver.lastCall?.call.form?["refresh_token"] == "refresh-2")
    let terms = EngineDriver.terms(of: "session-2", organization: "south")
    driver.answer(200, EngineDriver.tokens(3, expiresIn: 300, terms: terms).json)
    #expect(driver.renewingSession?.isMemoryOnly == true)
    #expect(driver.signedIn?.notice == .sessionNotKept)
  }

  @Test("S-05 a new session seen in storage is signed out when storage becomes empty")
  func erasedAfterProof() throws {
    var driver = Self.moved()
    driver.handle(
      .storage(.sessionChanged(.value(try #require(driver.renewingSession).record.text.revealed))))

    driver.handle(.storage(.sessionChanged(.absent)))

    #expect(driver.signedOut?.notice == .signedOut)
  }

  @Test("L-34 a session that storage lost is renewed once to check it, and not again and again")
  func renewedOnce() {
    var driver = EngineDriver.active()
    driver.handle(.storage(.sessionChanged(.absent)))
    #expect(driver.effects.contains(.claimRenewal))
    driver.handle(.storage(.renewalClaimed(.absent)))
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 300).json)

    driver.handle(.storage(.sessionChanged(.absent)))

    #expect(driver.signedIn != nil)
    #expect(driver.effects.isEmpty)
  }

  @Test("S-04 a session that another tab renewed and signed out is not continued here")
  func continuedElsewhere() {
    var driver = EngineDriver.active()
    let left = PendingRevocations([Secret("refresh-2")]).text.revealed
    driver.handle(.storage(.sessionChanged(.value(left))))
    driver.handle(.storage(.renewalClaimed(.value(left))))

    // After a lost answer the server returns the same token again.
    driver.answer(200, EngineDriver.tokens(2, expiresIn: 300).json)

    #expect(driver.signedOut?.notice == .signedOut)
    #expect(driver.effects.contains(.releaseRenewal))
  }

  @Test("L-23 storage that could not be read soon after a sign-in is read again")
  func readAgain() {
    var driver = EngineDriver.active()
    driver.handle(.storage(.sessionChanged(.temporarilyUnreadable)))
    #expect(!driver.effects.contains(.claimRenewal))

    driver.pass(seconds: 5)

    #expect(driver.effects.contains(.claimRenewal))
    driver.handle(.storage(.renewalClaimed(.value(EngineDriver.stored(2, expiresIn: 300)))))
    #expect(driver.renewingSession?.record.refreshToken == Secret("refresh-2"))
  }

  @Test("L-23 a planned reading of storage is not delayed by further changes")
  func readOnTime() {
    var driver = EngineDriver.active()
    driver.handle(.storage(.sessionChanged(.temporarilyUnreadable)))
    driver.pass(seconds: RenewingSession.storageRetrySeconds - 1)
    driver.handle(.storage(.sessionChanged(.temporarilyUnreadable)))
    #expect(!driver.effects.contains(.claimRenewal))

    driver.pass(seconds: 1)

    #expect(driver.effects.contains(.claimRenewal))
  }
}
