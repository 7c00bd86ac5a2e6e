import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

/// Data that earlier versions of the app have stored on devices.
///
/// The names of members are part of the format. They do not change when a type is renamed.
@Suite("Stored data of earlier versions")
struct StoredDataTests {
  private static let session = """
    {"version":2,"access_token":"a.b.c","access_expires_at":1800000300,"refresh_token":"r",\
    "session":{"id":"s-1","expires_at":1800600000,"idle_timeout":1800,\
    "background_timeout":300,"unlock":"biometric","organization":"north"},\
    "account":{"id":"tess","name":"Tess"},"left_behind":"s-0","owed":["r-0","r-1"]}
    """

  @Test("L-23 a session is read with every member and written as the same bytes")
  func session() throws {
    let record = try #require(SessionRecord(text: Secret(Self.session)))

    #expect(record.text.revealed == Self.session)
    #expect(record.accessToken.revealed == "a.b.c" && record.refreshToken?.revealed == "r")
    #expect(record.terms.id == SessionID("s-1") && record.terms.unlock == "biometric")
    #expect(record.person?.name == "Tess")
    #expect(record.revocations.unreadableSession == SessionID("s-0"))
    #expect(record.revocations.tokens.map(\.revealed) == ["r-0", "r-1"])
  }

  @Test("L-23 a session of the first version is read without a person")
  func firstVersion() throws {
    let text = Self.session.replacing("\"version\":2", with: "\"version\":1")
      .replacing(#""account":{"id":"tess","name":"Tess"},"#, with: "")

    let record = try #require(SessionRecord(text: Secret(text)))

    #expect(record.person == nil && record.revocations.tokens.count == 2)
  }

  @Test("L-26 an account without its name is read and written as the same bytes")
  func accountWithoutName() throws {
    let text = Self.session.replacing(#","name":"Tess""#, with: "")

    let record = try #require(SessionRecord(text: Secret(text)))

    #expect(record.text.revealed == text)
    #expect(record.person == SessionRecord.Person(id: AccountID("tess"), name: nil))
  }

  @Test(
    "L-26 an ID token that cannot be read names no account",
    arguments: ["", "e30", "e30.%.", "e30.e30.", "e30.bm8."])
  func unreadableIDToken(_ text: String) throws {
    var record = try #require(SessionRecord(text: Secret(Self.session)))
    record.person = nil

    record.readAccount(in: Secret(text))
    #expect(record.person == nil)
    record.readAccount(in: nil)
    #expect(record.person == nil)
    record.readAccount(in: Secret("e30.eyJzdWIiOiJ0ZXNzIn0."))
    #expect(record.person?.id == AccountID("tess"))
  }

  @Test("S-04 a pending revocation is read and written as the same bytes")
  func revocation() throws {
    let text = #"{"version":1,"revoke":"r","left_behind":"s-0","owed":["r-0"]}"#

    let revocation = try #require(PendingRevocations(text: Secret(text)))

    #expect(revocation.text.revealed == text)
    #expect(revocation.tokens.map(\.revealed) == ["r-0", "r"])
    #expect(revocation.unreadableSession == SessionID("s-0"))
  }

  @Test("S-06 the card of a locked app is read and written as the same bytes")
  func card() {
    let text = #"{"version":1,"name":"Tess","organization":"north","session":"s-1"}"#

    let card = AppLock.LockedContent(text: text)

    #expect(card.text.revealed == text)
    #expect(card.name == "Tess" && card.session == SessionID("s-1"))
  }

  @Test("S-06 the last activity is read, with and without the member that a later version added")
  func lastActivity() throws {
    let told = """
      {"version":1,"session":"s-1","shown":{"device":5000,"server":7000,"told":true},\
      "used":{"device":4000,"server":6000,"told":false}}
      """
    let earlier = told.replacing(#","told":true"#, with: "").replacing(#","told":false"#, with: "")

    for text in [told, earlier] {
      let activity = try #require(LastActivity(text: Secret(text)))
      #expect(activity.isKnown && activity.serverAheadMilliseconds == 2000)
    }
    #expect(LastActivity(text: Secret(told.replacing("\"shown\"", with: "\"seen\""))) == nil)
  }
}
