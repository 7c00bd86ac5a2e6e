import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("Descriptions of events and effects")
struct DescriptionTests {
  private static let secret = "plum-anchor-4711"
  private static let form = Form([.init("password", secret), .init("otp", secret)])

  /// Everything that a program can print about a value.
  private func printed(_ value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return "\(value)" + String(reflecting: value) + dumped
  }

  @Test("T-14 printing an event shows no secret", arguments: Event.samples(with: secret))
  func events(_ event: Event) {
    #expect(!printed(event).contains(Self.secret))
  }

  @Test("T-14 printing an effect shows no secret", arguments: Effect.samples(with: secret))
  func effects(_ effect: Effect) {
    #expect(!printed(effect).contains(Self.secret))
  }

  @Test("T-14 printing a form or a reply to the embedding app shows no secret")
  func forms() {
    let body = JSON.members([JSONMember("access_token", Self.secret)])
    let replies: [TicketReply.Content] = [
      .token(Secret(Self.secret)),
      .answer(.received(status: 200, body: body, serverSeconds: nil)),
    ]
    for value in replies.map({ TicketReply(ticket: 1, content: $0) }) as [Any]
      + [Self.form, Self.form.fields, Call.Body.form(Self.form)]
    {
      #expect(!printed(value).contains(Self.secret))
    }
    #expect("\(Call.Body.form(Self.form))" == "password&otp")
  }
}
