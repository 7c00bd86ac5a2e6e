import Cryptography
import HTTPClient
import JSONText
import SignInModel
import SignInService

/// Posts each message to an address of the operator, with a signature.
///
/// 2xx means accepted. 409 means that a message with this identifier was already accepted. 429 asks
/// for a pause. After any other 4xx the message is not tried again, with the exceptions in
/// `OutboundAnswer.fault`. After 5xx and after a timeout the result is unclear.
struct WebhookMessenger: ConfiguredMessenger {
  static let kind = MessengerKind(
    "webhook", keys: [.required("url", .secureURL, "URL to which the server posts messages")],
    secret: "secret"
  )

  let name: String
  let deduplicatesMessages = true
  private let hook: SignedHook

  init(_ order: MessengerSetup) throws(MessengerMistake) {
    name = order.name
    hook = try SignedHook(order)
  }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    try await hook.post(message, JSONMember("text", message.text.revealed))
  }

  var receipts: (any ReceiptReader)? { hook.receipts }
}

/// An address of the operator to which JSON documents are posted.
///
/// One secret signs the requests and their receipts.
struct SignedHook {
  /// Two tries, and one of a second messenger, fit into five seconds.
  static let deadlineMilliseconds: Int64 = 2000

  private let url: String
  private let secret: [UInt8]
  private let calls: OutboundCalls
  private let clock: any Clock

  init(_ order: MessengerSetup) throws(MessengerMistake) {
    url = try order.text("url")
    secret = Array(try order.secret().revealed.utf8)
    calls = order.calls
    clock = order.clock
  }

  func post(
    _ message: TextMessage, _ words: JSONMember
  ) async throws(TextMessengerFault) -> Acceptance {
    let body = JSON.members([
      JSONMember("id", message.id), JSONMember("to", try message.phoneNumber().e164), words,
      JSONMember("expires_at", message.expiresAt.seconds),
    ]).utf8
    let request = OutboundRequest(
      .post, url,
      fields: [
        ("Content-Type", "application/json"), ("User-Agent", "Fieldpass"),
        (HookSignature.field, HookSignature(key: secret).value(for: body, at: clock.now())),
      ],
      body: body, deadlineMilliseconds: Self.deadlineMilliseconds
    )
    let answer = try await calls.handOver(request)
    switch answer.status {
    case 200..<300: return Acceptance(reference: message.id)
    case 409: return Acceptance(reference: message.id, isRepeated: true)
    default: throw answer.fault
    }
  }

  var receipts: any ReceiptReader { HookReceipts(signature: HookSignature(key: secret)) }
}

/// A signature in both directions: `t=<unix>,v1=<hex HMAC-SHA256(secret, t + "." + body)>`.
struct HookSignature {
  static let field = "Fieldpass-Signature"
  /// The largest difference between the time of a signature and the clock.
  ///
  /// It limits the time in which a recorded request can be sent again.
  static let toleranceSeconds: Int64 = 300

  let key: [UInt8]

  func value(for body: [UInt8], at now: Instant) -> String {
    "t=\(now.seconds),v1=\(code(for: body, time: String(now.seconds)))"
  }

  func proves(_ body: [UInt8], by value: String, at now: Instant) -> Bool {
    let parts = Array(value.utf8).split(separator: UInt8(ascii: ","), maxSplits: 2)
    guard parts.count == 2, parts[0].starts(with: "t=".utf8), parts[1].starts(with: "v1=".utf8),
      let time = WholeNumber.read(parts[0].dropFirst(2), in: 0...Instant.latest.seconds),
      abs(now.seconds - time) <= Self.toleranceSeconds
    else { return false }
    let expected = Array(code(for: body, time: String(time)).utf8)
    return ConstantTime.equal(Array(parts[1].dropFirst(3)), expected)
  }

  private func code(for body: [UInt8], time: String) -> String {
    HMACSHA256.code(for: Array("\(time).".utf8) + body, key: key).hexadecimal
  }
}

/// A signed receipt: `{"id", "status": "delivered" | "undelivered" | "delayed", "price"?}`.
struct HookReceipts: ReceiptReader {
  let signature: HookSignature

  func read(_ post: ReceiptPost) -> ReceiptReading {
    guard let value = post.field("fieldpass-signature"),
      signature.proves(post.body, by: value, at: post.receivedAt)
    else { return .unproved }
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read(post.body, within: .request) } catch {
      return .malformed
    }
    guard let id = json["id"]?.text,
      let outcome = (json["status"]?.text).flatMap(OutboxMessage.Receipt.init(rawValue:))
    else { return .malformed }
    let price = json["price"]?.number(in: DeliveryReport.prices)
    return .reports([DeliveryReport(reference: id, outcome: outcome, price: price)])
  }
}
