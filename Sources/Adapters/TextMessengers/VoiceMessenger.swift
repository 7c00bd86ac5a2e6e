import HTTPClient
import JSONText
import SignInModel
import SignInService

/// Posts what a call is to say to an address of the operator's own, signed as the webhook is.
///
/// For people whose text message does not come: a messenger like the others, on another channel.
struct VoiceMessenger: ConfiguredMessenger {
  static let kind = MessengerKind(
    "voice-webhook", keys: [.required("url", .secureURL, "Where calls are posted")],
    secret: "secret"
  )

  let name: String
  let knowsRepetitions = true
  let channel = OutboxMessage.Channel.voice
  private let hook: SignedHook

  init(_ order: MessengerOrder) throws(MessengerMistake) {
    name = order.name
    hook = try SignedHook(order)
  }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Charge {
    try await hook.post(
      message.id,
      .members([
        JSONMember("id", message.id), JSONMember("to", try message.phoneNumber().e164),
        JSONMember("speech", Self.speech(message.text.revealed)),
        JSONMember("expires_at", message.expiresAt.seconds),
      ])
    )
  }

  var receipts: (any ReceiptReader)? { hook.receipts }

  /// The first paragraph, for the lines below it are for phones; digits one by one, and twice.
  static func speech(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let paragraph = lines.prefix { !$0.isEmpty }.joined(separator: " ")
    var spoken = ""
    for word in paragraph.split(separator: " ") {
      let digits = word.filter { $0.isASCII && $0.isNumber }
      if !spoken.isEmpty { spoken += " " }
      if digits.count >= OneTimeCode.digitLimits.lowerBound, digits.count == word.count {
        spoken += digits.map(String.init).joined(separator: ", ")
      } else {
        spoken += word
      }
    }
    return "\(spoken) \(spoken)"
  }
}
