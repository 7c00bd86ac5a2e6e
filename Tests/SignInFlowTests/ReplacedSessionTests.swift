import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

@Suite("Replaced sessions and pending revocations, and lost storage")
struct ReplacedSessionTests {
  private static let card =
    #"{"version":1,"name":"Tess","organization":"north","session":"session-0"}"#

  private static func replaced(_ walk: Walk) -> (old: String, new: String)? {
    for effect in walk.effects {
      if case .replaceSession(let old, let new) = effect { return (old.revealed, new.revealed) }
    }
    return nil
  }

  /// A signed-in app and its stored record with one more member.
  private static func stored(
    _ member: JSONMember, expiresIn: Int64 = 300
  ) throws -> (walk: Walk, text: String) {
    let text = Walk.stored(1, expiresIn: expiresIn)
    let json = try JSONReader.read(Array(text.utf8))
    guard case .object(let own) = json else { preconditionFailure("a record is an object") }
    let whole = JSON.object(own + [member]).utf8.text
    var walk = Walk.opened()
    walk.happen(.storageRead(.value(whole)))
    return (walk, whole)
  }

  // MARK: Replaced records

  @Test("S-04 a session that a sign-in replaced ends at the server, even after a restart")
  func overAnother() throws {
    var walk = Walk.signedIn()

    walk.happen(
      .device(.storedSessionReplaced(.value(Walk.stored(7, expiresIn: 300, session: "session-7")))))

    #expect(walk.call(to: Endpoint.revoke)?.call.form?["token"] == "refresh-7")
    let kept = try #require(Self.replaced(walk)).new
    #expect(kept.contains(#""owed":["refresh-7"]"#))
    var again = Walk.opened()
    again.happen(.storageRead(.value(kept)))
    #expect(again.call(to: Endpoint.revoke)?.call.form?["token"] == "refresh-7")
  }

  @Test("L-32 a pending revocation that was unreadable until a sign-in replaced it is sent")
  func overPendingRevocation() throws {
    var walk = Walk.opened()
    walk.happen(.storageRead(.cannotTell))
    walk.press(.signInAgain)
    walk.signInAgain()
    let left = PendingRevocation(
      Secret("refresh-0"), earlierTokens: [Secret("refresh-00")],
      unreadableSession: SessionID("session-00"))

    walk.happen(.device(.storedSessionReplaced(.value(left.text.revealed))))

    let revoked = walk.effects.compactMap { effect in
      if case .call(_, let call) = effect { call.form?["token"] } else { nil }
    }
    #expect(revoked == ["refresh-00", "refresh-0"])
    #expect(walk.call(to: "/api/sessions/session-00")?.call.method == .delete)
  }

  @Test("L-32 a locked session that a sign-in replaced is ended on behalf of its account")
  func overLock() throws {
    var walk = Walk.signedIn()

    walk.happen(.device(.storedSessionReplaced(.locked(card: Self.card))))

    #expect(walk.call(to: "/api/sessions/session-0")?.call.method == .delete)
    #expect(try #require(Self.replaced(walk)).new.contains(#""left_behind":"session-0""#))
  }

  @Test("L-32 a session left behind a lock stays recorded after a sign-out, until the next sign-in")
  func lockOverSignOut() throws {
    var walk = try Self.stored(JSONMember("left_behind", "session-0")).walk
    walk.press(.signOut)
    let left = PendingRevocation(Secret("refresh-1"), unreadableSession: SessionID("session-0"))
    #expect(walk.effects.first == .savePendingRevocation(left.text))

    walk.answer(200, .null)

    #expect(walk.effects.isEmpty)
    var again = Walk.opened()
    again.happen(.storageRead(.value(left.text.revealed)))
    #expect(again.signIn?.notice == nil)
    #expect(again.call(to: Endpoint.revoke)?.call.form?["token"] == "refresh-1")
  }

  @Test("L-32 a session that the server ends keeps its pending revocations")
  func endedWithPendingRevocations() throws {
    var (walk, text) = try Self.stored(
      JSONMember("owed", .array([.string("refresh-0")])), expiresIn: 0)
    walk.happen(.renewalClaimed(.value(text)))
    let before = try #require(walk.renewingSession).record.text

    walk.refuse(.invalidGrant) { $0.reason = EndReason.revoked.rawValue }

    #expect(walk.signIn?.notice == .session(.revoked))
    let left = PendingRevocation(Secret("refresh-1"), earlierTokens: [Secret("refresh-0")])
    #expect(walk.effects.first == .replaceSession(before, with: left.text))
    text = left.text.revealed
    var again = Walk.opened()
    again.happen(.storageRead(.value(text)))
    #expect(again.call(to: Endpoint.revoke) != nil)
  }

  // MARK: Lost records

  /// An app that has switched from north to south.
  ///
  /// Storage may not have accepted the new session.
  private static func moved() throws -> Walk {
    var walk = Walk.atActivity()
    walk.happen(.home(.itemPressed(.switchOrganization, item: "south")))
    walk.happen(.renewalClaimed(.value(try #require(walk.renewingSession).record.text.revealed)))
    let terms = Walk.terms(of: "session-2", organization: "south")
    walk.answer(200, Walk.tokens(2, expiresIn: 0, terms: terms).json)
    return walk
  }

  @Test("S-05 another tab that erases the old session leaves the new one open")
  func erasedAfterMove() throws {
    var walk = try Self.moved()
    walk.happen(.device(.sessionChanged(.cannotTell)))
    walk.happen(.device(.sessionChanged(.absent)))
    #expect(walk.signedIn != nil)

    walk.happen(.renewalClaimed(.absent))

    #expect(walk.lastCall?.call.form?["refresh_token"] == "refresh-2")
    let terms = Walk.terms(of: "session-2", organization: "south")
    walk.answer(200, Walk.tokens(3, expiresIn: 300, terms: terms).json)
    #expect(walk.renewingSession?.isMemoryOnly == true)
    #expect(walk.signedIn?.notice == .sessionNotKept)
  }

  @Test("S-05 a new session seen in storage is signed out when storage becomes empty")
  func erasedAfterProof() throws {
    var walk = try Self.moved()
    walk.happen(
      .device(.sessionChanged(.value(try #require(walk.renewingSession).record.text.revealed))))

    walk.happen(.device(.sessionChanged(.absent)))

    #expect(walk.signIn?.notice == .signedOut)
  }

  @Test("L-34 a session that storage lost is renewed once to check it, and not again and again")
  func renewedOnce() {
    var walk = Walk.atJobs()
    walk.happen(.device(.sessionChanged(.absent)))
    #expect(walk.effects.contains(.claimRenewal))
    walk.happen(.renewalClaimed(.absent))
    walk.answer(200, Walk.tokens(2, expiresIn: 300).json)

    walk.happen(.device(.sessionChanged(.absent)))

    #expect(walk.signedIn != nil)
    #expect(walk.effects.isEmpty)
  }

  @Test("S-04 a session that another tab renewed and signed out is not continued here")
  func continuedElsewhere() {
    var walk = Walk.atJobs()
    let left = PendingRevocation(Secret("refresh-2")).text.revealed
    walk.happen(.device(.sessionChanged(.value(left))))
    walk.happen(.renewalClaimed(.value(left)))

    // After a lost answer the server returns the same token again.
    walk.answer(200, Walk.tokens(2, expiresIn: 300).json)

    #expect(walk.signIn?.notice == .signedOut)
    #expect(walk.effects.contains(.releaseRenewal))
  }

  @Test("L-23 storage that could not be read soon after a sign-in is read again")
  func readAgain() {
    var walk = Walk.atJobs()
    walk.happen(.device(.sessionChanged(.cannotTell)))
    #expect(!walk.effects.contains(.claimRenewal))

    walk.pass(seconds: 5)

    #expect(walk.effects.contains(.claimRenewal))
    walk.happen(.renewalClaimed(.value(Walk.stored(2, expiresIn: 300))))
    #expect(walk.renewingSession?.record.refreshToken == Secret("refresh-2"))
  }
}
