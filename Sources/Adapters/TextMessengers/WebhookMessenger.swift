import Cryptography
import HTTPClient
import JSONText
import SignInModel
import SignInService

/// Posts each message to an address of the operator's own, signed.
///
/// The signature is `t=<unix>,v1=<hex HMAC-SHA256(secret, t + "." + body)>`. 2xx is taken charge
/// of, 409 means that this identifier was taken already, 429 asks for a pause, another 4xx is
/// never, and 5xx and time-out say nothing about it.
struct WebhookMessenger: TextMessenger {
  /// Two tries and another messenger's fit into five seconds.
  static let deadlineMilliseconds: Int64 = 2000

  let name: String
  let knowsRepetitions = true
  private let url: String
  private let secret: [UInt8]
  private let calls: OutboundCalls
  private let clock: any Clock

  init(_ order: MessengerOrder) throws(MessengerMistake) {
    name = order.name
    url = try order.text("url")
    secret = Array(try order.secret().revealed.utf8)
    calls = order.calls
    clock = order.clock
  }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Charge {
    let body = JSON.members([
      JSONMember("id", message.id), JSONMember("to", message.to.e164),
      JSONMember("text", message.text.revealed),
      JSONMember("expires_at", message.expiresAt.seconds),
    ]).utf8
    let request = OutboundRequest(
      .post, url,
      fields: [
        ("Content-Type", "application/json"), ("User-Agent", "Fieldpass"),
        (Self.signatureField, Self.signature(of: body, key: secret, at: clock.now())),
      ],
      body: body, deadlineMilliseconds: Self.deadlineMilliseconds
    )
    let answer = try await calls.handOver(request)
    switch answer.status {
    case 200..<300: return Charge(reference: message.id)
    case 409: return Charge(reference: message.id, isRepeated: true)
    default: throw answer.fault
    }
  }

  static let signatureField = "Fieldpass-Signature"

  static func signature(of body: [UInt8], key: [UInt8], at now: Instant) -> String {
    let time = String(now.seconds)
    let code = HMACSHA256.code(for: Array("\(time).".utf8) + body, key: key)
    return "t=\(time),v1=\(code.hexadecimal)"
  }
}
