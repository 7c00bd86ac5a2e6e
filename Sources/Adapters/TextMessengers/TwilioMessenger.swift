import Cryptography
import HTTPClient
import JSONText
import SignInModel
import SignInService
import SignInWire

/// Twilio's Messages resource.
///
/// Twilio does not recognise a repeated message. Its receipts are signed with the account's token.
struct TwilioMessenger: ConfiguredMessenger {
  static let kind = MessengerKind(
    "twilio",
    keys: [
      .required("account_sid", .identifier, "The account"),
      .required("from", .line, "The sending number"),
      .optional("endpoint", .secureURL, "An address other than the vendor's own"),
    ],
    secret: "auth_token"
  )

  /// Leaves time for a second messenger within five seconds.
  static let deadlineMilliseconds: Int64 = 4000

  let name: String
  private let url: String
  private let authorization: String
  private let from: String
  private let callback: String?
  private let token: [UInt8]
  private let calls: OutboundCalls
  private let clock: any Clock

  init(_ order: MessengerSetup) throws(MessengerMistake) {
    name = order.name
    let account = try order.text("account_sid")
    let endpoint = order.texts["endpoint"] ?? "https://api.twilio.com"
    let root = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
    url = "\(root)/2010-04-01/Accounts/\(Form.percentEncoded(account))/Messages.json"
    token = Array(try order.secret().revealed.utf8)
    authorization = "Basic " + (Array("\(account):".utf8) + token).base64
    from = try order.text("from")
    callback = order.receiptsURL
    calls = order.calls
    clock = order.clock
  }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    let life = clock.now().wholeSeconds(until: message.expiresAt)
    var members = [
      ("To", try message.phoneNumber().e164),
      (from.hasPrefix("MG") ? "MessagingServiceSid" : "From", from),
      ("Body", message.text.revealed),
      ("ValidityPeriod", String(min(max(life, 1), 36_000))),
    ]
    if let callback { members.append(("StatusCallback", callback)) }
    let request = OutboundRequest(
      .post, url,
      fields: [
        ("Content-Type", "application/x-www-form-urlencoded"), ("Authorization", authorization),
      ],
      body: FormBody.encode(members), deadlineMilliseconds: Self.deadlineMilliseconds
    )
    let answer = try await calls.handOver(request)
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read(answer.body) } catch { json = .null }
    guard (200..<300).contains(answer.status) else {
      throw fault(answer, code: json["code"]?.count)
    }
    if json["status"]?.text == "failed" { throw .otherProvider("the message failed at once") }
    return Acceptance(reference: json["sid"]?.text)
  }

  private func fault(_ answer: OutboundAnswer, code: Int64?) -> TextMessengerFault {
    switch code {
    // The number does not exist, or cannot receive text messages.
    case 21211?, 21217?, 21614?: .never("error \(code ?? 0)")
    // The country or the carrier is not allowed, or the person has blocked this sender.
    case 21408?, 21610?, 21612?, 21635?: .otherProvider("error \(code ?? 0)")
    case 20429?, 14107?: .retry(afterSeconds: max(1, answer.retryAfterSeconds ?? 1))
    // Other errors with status 400 concern the account, the sender or the request.
    case let code? where answer.status == 400: .otherProvider("error \(code)")
    default: answer.fault
    }
  }

  var receipts: (any ReceiptReader)? { TwilioReceipts(token: token) }
}

/// Reads the status callbacks of Twilio.
struct TwilioReceipts: ReceiptReader {
  let token: [UInt8]

  func read(_ post: ReceiptPost) -> ReceiptReading {
    let form: Form
    do throws(Form.Fault) { form = try Form(parsing: post.body) } catch { return .malformed }
    guard let signature = post.field("x-twilio-signature"),
      addresses(post.url).contains(where: {
        ConstantTime.equal(Array(signature.utf8), Array(self.signature(url: $0, form).utf8))
      })
    else { return .unproved }
    guard let reference = form["MessageSid"], let status = form["MessageStatus"] else {
      return .malformed
    }
    let outcome: OutboxMessage.Receipt =
      switch status {
      case "delivered", "read": .delivered
      case "undelivered", "failed", "canceled": .undelivered
      default: .delayed
      }
    return .reports([DeliveryReport(reference: reference, outcome: outcome)])
  }

  /// Base64 of the HMAC-SHA1 of the address and the sorted members.
  func signature(url: String, _ form: Form) -> String {
    var text = url
    for field in form.fields.sorted(by: {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }) { text += field.name + field.value }
    return HMACSHA1.code(for: Array(text.utf8), key: token).base64
  }

  /// The forms of the address that Twilio may have signed: with and without the default port.
  private func addresses(_ url: String) -> [String] {
    guard url.hasPrefix("https://") else { return [url] }
    let authority = url.dropFirst("https://".count).prefix { $0 != "/" }
    guard !authority.contains(":") else { return [url] }
    let rest = url.dropFirst("https://".count + authority.count)
    return [url, "https://\(authority):443\(rest)"]
  }
}
