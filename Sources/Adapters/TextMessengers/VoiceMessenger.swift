import HTTPClient
import JSONText
import SignInModel
import SignInService

/// Posts the words of a voice call to an address of the operator.
///
/// The signature is the same as that of the webhook.
///
/// It is for people who do not receive text messages. It is a messenger like the others, on another
/// channel.
struct VoiceMessenger: ConfiguredMessenger {
  static let kind = MessengerKind(
    "voice-webhook", keys: [.required("url", .secureURL, "URL to which the server posts calls")],
    secret: "secret"
  )

  let name: String
  let deduplicatesMessages = true
  let channel = OutboxMessage.Channel.voice
  private let hook: SignedHook

  init(_ order: MessengerSetup) throws(MessengerMistake) {
    name = order.name
    hook = try SignedHook(order)
  }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    try await hook.post(message, JSONMember("speech", Self.speech(message.text.revealed)))
  }

  var receipts: (any ReceiptReader)? { hook.receipts }

  /// The words of the call: the first paragraph, twice.
  ///
  /// The later lines are for phones only. The digits of a code are read one by one.
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
