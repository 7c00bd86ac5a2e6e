import SignInService
import Testing

@testable import TextMessengers

@Suite("Kinds of messengers")
struct MessengerKindTests {
  @Test("R-12 every kind has a name of its own, and all that operators may write")
  func kinds() {
    let names = MessengerKinds.all.map(\.name)

    #expect(
      names == [
        "azure-communication-services", "aws-sns", "twilio", "webhook", "smpp", "voice-webhook",
      ])
  }

  @Test("R-12 a call reads the first paragraph twice, its digits one by one")
  func speech() {
    let text = "012345 is your Fieldpass code. It expires in 5 minutes.\n\n@a.example #012345"

    let speech = VoiceMessenger.speech(text)

    let once = "0, 1, 2, 3, 4, 5 is your Fieldpass code. It expires in 5 minutes."
    #expect(speech == "\(once) \(once)")
  }
}
