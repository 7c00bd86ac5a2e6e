import Cryptography
import HTTPClient
import JSONText
import SignInModel
import SignInService

/// Azure Communication Services (T-17).
///
/// Each request is signed with the access key of the resource. Each message has its repeatability
/// identifiers, so the service accepts it once even if it is posted again.
///
/// Receipts come from Event Grid, which does not sign them. So the receipt address has a key that
/// is derived from the access key. The handshake of Event Grid is answered.
struct AzureMessenger: ConfiguredMessenger {
  static let kind = MessengerKind(
    "azure-communication-services",
    keys: [
      .required("endpoint", .secureURL, "The resource's address"),
      .required("from", .line, "The sending number"),
    ],
    secret: "access_key"
  )

  /// Two tries, and one of a second messenger, fit into five seconds.
  static let deadlineMilliseconds: Int64 = 2000
  static let path = "/sms?api-version=2021-03-07"

  let name: String
  let deduplicatesMessages = true
  private let endpoint: String
  private let key: [UInt8]
  private let from: String
  private let calls: OutboundCalls
  private let clock: any Clock

  init(_ order: MessengerSetup) throws(MessengerMistake) {
    name = order.name
    let endpoint = try order.text("endpoint")
    self.endpoint = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
    guard let key = [UInt8](base64: try order.secret().revealed), !key.isEmpty else {
      throw MessengerMistake(
        key: "access_key_file", problem: "contains no access key",
        remedy: "copy one of the two keys of the resource, which are Base64"
      )
    }
    self.key = key
    from = try order.text("from")
    calls = order.calls
    clock = order.clock
  }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    _ = try message.phoneNumber()
    let body = Self.body(for: message, from: from)
    let signature = AzureSignature(key: key, at: clock.now())
    let host = WebHost.authority(of: endpoint)
    let request = OutboundRequest(
      .post, endpoint + Self.path,
      fields: [("Content-Type", "application/json")]
        + signature.fields(path: Self.path, host: host, body: body),
      body: body, deadlineMilliseconds: Self.deadlineMilliseconds
    )
    let answer = try await calls.handOver(request)
    guard answer.status == 202 || answer.status == 200 else { throw answer.fault }
    return try charge(answer.body)
  }

  /// The message in the format of the service.
  static func body(for message: TextMessage, from: String) -> [UInt8] {
    JSON.members([
      JSONMember("from", from),
      JSONMember(
        "smsRecipients",
        .array([
          .members([
            JSONMember("to", message.to.text),
            JSONMember("repeatabilityRequestId", repeatabilityID(message.id)),
            JSONMember("repeatabilityFirstSent", CalendarTime(message.createdAt).httpDate),
          ])
        ])),
      JSONMember("message", message.text.revealed),
      JSONMember(
        "smsSendOptions",
        .members([JSONMember("enableDeliveryReport", true), JSONMember("tag", message.id)])),
    ]).utf8
  }

  /// A UUID that is derived from the message identifier (RFC 9562, version 8).
  ///
  /// It is the same for each try.
  private static func repeatabilityID(_ id: String) -> String {
    var bytes = Array(SHA256Digest.of(id).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let text = Array(bytes.hexadecimal)
    let ends = [0, 8, 12, 16, 20, 32]
    return zip(ends, ends.dropFirst()).map { String(text[$0..<$1]) }.joined(separator: "-")
  }

  /// The service can accept a request and refuse the one message in it.
  private func charge(_ body: [UInt8]) throws(TextMessengerFault) -> Acceptance {
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read(body) } catch {
      throw .unclear("the answer is no JSON")
    }
    guard let item = json["value"]?.elements?.first else { throw .unclear("the answer is empty") }
    if item["successful"]?.flag == true {
      return Acceptance(reference: item["messageId"]?.text)
    }
    switch item["httpStatusCode"]?.count {
    case 400?: throw .never("the number was refused")
    case 429?: throw .retry(afterSeconds: 1)
    case let status? where (401..<500).contains(status):
      throw .otherProvider("the number was refused with \(status)")
    default: throw .unclear("the message was refused for now")
    }
  }

  var receipts: (any ReceiptReader)? { EventGridReceipts(name: name, key: key) }
}

/// The HMAC authentication of Azure Communication Services.
struct AzureSignature {
  let key: [UInt8]
  let at: Instant

  func fields(path: String, host: String, body: [UInt8]) -> [(name: String, value: String)] {
    let hash = SHA256Digest.of(body).base64
    let date = CalendarTime(at).httpDate
    let toSign = "POST\n\(path)\n\(date);\(host);\(hash)"
    let signature = HMACSHA256.code(for: Array(toSign.utf8), key: key).base64
    return [
      ("x-ms-date", date), ("x-ms-content-sha256", hash),
      (
        "Authorization",
        "HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=\(signature)"
      ),
    ]
  }
}

/// Reads the delivery reports that Event Grid posts.
struct EventGridReceipts: ReceiptReader {
  let name: String
  let key: [UInt8]

  /// The value of `key` in the receipt address that Event Grid gets.
  var addressKey: String {
    String(HMACSHA256.code(for: Array("receipts of \(name)".utf8), key: key).hexadecimal.prefix(32))
  }

  func read(_ post: ReceiptPost) -> ReceiptReading {
    let expected = Array("key=\(addressKey)".utf8)
    guard ConstantTime.equal(Array(post.query.utf8), expected) else { return .unproved }
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read(post.body, within: .request) } catch {
      return .malformed
    }
    guard let events = json.elements else { return .malformed }
    var reports: [DeliveryReport] = []
    for event in events {
      let data = event["data"]
      switch event["eventType"]?.text {
      case "Microsoft.EventGrid.SubscriptionValidationEvent"?:
        guard let code = data?["validationCode"]?.text else { return .malformed }
        return .handshake(answer: JSON.members([JSONMember("validationResponse", code)]).utf8)
      case "Microsoft.Communication.SMSDeliveryReportReceived"?:
        guard let id = data?["messageId"]?.text, let status = data?["deliveryStatus"]?.text else {
          return .malformed
        }
        reports.append(DeliveryReport(reference: id, outcome: Self.outcome(status)))
      default: continue
      }
    }
    return .reports(reports)
  }

  private static func outcome(_ status: String) -> OutboxMessage.Receipt {
    switch status {
    case "Delivered": .delivered
    case "Failed", "Expired", "Rejected", "OptOut", "Blocked", "InvalidDestination": .undelivered
    default: .delayed
    }
  }
}
