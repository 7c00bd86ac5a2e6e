import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

@Suite("Descriptions of events and effects")
struct DescriptionTests {
  private static let secret = "plum-anchor-4711"
  private static let hidden = Secret(secret)
  private static let json = JSON.members([JSONMember("access_token", secret)])
  private static let form = Form([.init("password", secret), .init("otp", secret)])

  private static let events: [Event] = [
    .storage(.read(.value(secret), seen: secret, pending: hidden)),
    .page(.fieldEdited(.password, secret)), .page(.fieldEdited(.code, secret)),
    .signIn(.verifierMade(verifier: hidden, challenge: "c")),
    .answered(RequestID(1), .received(status: 200, body: json, serverSeconds: nil)),
    .storage(.renewalClaimed(.value(secret))), .session(.unlocked(.value(secret))),
    .storage(.sessionChanged(.value(secret))), .storage(.storedSessionReplaced(.value(secret))),
    .signIn(.invited(hidden)), .signIn(.providerReturned(hidden)),
  ]

  private static let call = Call.post(.token, form, .proofWithToken(hidden))

  private static let effects: [Effect] = [
    .call(RequestID(1), call), .saveSession(hidden), .replaceSession(hidden, with: hidden),
    .savePendingRevocation(hidden), .saveLastSeen(hidden),
    .setLock(session: hidden, card: hidden), .removeLock(session: hidden),
    .saveScreenState("s", hidden), .eraseSessionIfUnchanged(hidden), .savePendingSignIn(hidden),
  ]

  @Test("T-14 no description of an event, an effect or a form contains a secret")
  func hidesSecrets() {
    let replies = [
      TicketReply(ticket: 1, content: .token(Self.hidden)),
      TicketReply(
        ticket: 1,
        content: .answer(.received(status: 200, body: Self.json, serverSeconds: nil))),
    ]
    let values: [Any] = Self.events + Self.effects + replies + [Self.form, Self.form.fields]
    for value in values {
      #expect(!"\(value)".contains(Self.secret))
      #expect(!String(reflecting: value).contains(Self.secret))
    }
    #expect("\(Self.call.body)" == "password&otp")
  }
}
