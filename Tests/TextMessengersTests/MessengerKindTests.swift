import HTTPClient
import SignInModel
import SignInService
import SignInTesting
import Testing

@testable import TextMessengers

@Suite("Kinds of messengers")
struct MessengerKindTests {
  @Test("R-12 every kind has its own name and its allowed keys")
  func kinds() {
    let names = MessengerKinds.all.map(\.name)

    #expect(
      names == [
        "azure-communication-services", "aws-sns", "twilio", "webhook", "smpp", "voice-webhook",
        "smtp",
      ])
  }

  @Test(
    "A gateway on another machine needs TLS, or a permission to work without it",
    arguments: [
      ("gateway.example.com", nil, nil, true), ("gateway.example.com", true, nil, false),
      ("gateway.example.com", false, true, false), ("192.0.2.1", nil, false, true),
      ("127.0.0.1", nil, nil, false), ("localhost", false, nil, false), ("::1", nil, nil, false),
      ("127.0.0.1.example.com", nil, nil, true),
    ] as [(String, Bool?, Bool?, Bool)]
  )
  func plaintext(_ host: String, _ tls: Bool?, _ allowed: Bool?, _ isRefused: Bool) {
    var settings = Configuration.Messenger(name: "gw", kind: "smpp")
    settings.texts = ["host": host, "system_id": "a", "source": "F"]
    settings.flags = ["tls": tls, "allow_plaintext": allowed].compactMapValues { $0 }
    let order = MessengerSetup(
      settings, secret: Secret("p"), issuer: nil, calls: OutboundCalls(),
      clock: SimulatedClock(Instant(seconds: 0)), report: { _ in }
    )
    var configuration = Configuration.demo
    configuration.messengers = [settings]

    var mistake: String?
    do throws(MessengerMistake) { _ = try MessengerKinds.make(order) } catch {
      mistake = error.key
    }

    #expect(mistake == (isRefused ? "tls" : nil))
    let isWarned = configuration.warnings.contains { $0.hasPrefix("messenger gw sends") }
    #expect(isWarned == (allowed == true))
  }

  @Test("R-12 a call reads the first paragraph twice, digit by digit for the code")
  func speech() {
    let text = "012345 is your Fieldpass code. It expires in 5 minutes.\n\n@a.example #012345"

    let speech = VoiceMessenger.speech(text)

    let once = "0, 1, 2, 3, 4, 5 is your Fieldpass code. It expires in 5 minutes."
    #expect(speech == "\(once) \(once)")
  }
}
