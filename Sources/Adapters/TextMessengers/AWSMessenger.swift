import Cryptography
import HTTPClient
import SignInModel
import SignInService

/// AWS SNS: `Publish` to a phone number, signed with Signature Version 4.
///
/// SNS does not recognise a repeated message and posts no receipts. The account's CloudWatch logs
/// show whether a message arrived. In India, `entity_id` and `template_id` are the values
/// registered under the DLT rules, and the text must be the registered template.
struct AWSMessenger: ConfiguredMessenger {
  static let kind = MessengerKind(
    "aws-sns",
    keys: [
      .required("region", .identifier, "The AWS region, such as eu-north-1"),
      .required("access_key_id", .identifier, "The access key's public half"),
      .optional("endpoint", .secureURL, "An address other than the region's own"),
      .optional("sender_id", .line, "The sender's name"),
      .optional("entity_id", .line, "Registered entity, for India"),
      .optional("template_id", .line, "Registered template, for India"),
      .optional("max_price", .line, "The highest price of one message, in US dollars"),
    ],
    secret: "secret_access_key"
  )

  /// Leaves time for a second messenger within five seconds.
  static let deadlineMilliseconds: Int64 = 4000

  let name: String
  private let region: String
  private let url: String
  private let keyID: String
  private let secret: [UInt8]
  private let attributes: [(name: String, type: String, value: String)]
  private let calls: OutboundCalls
  private let clock: any Clock

  init(_ order: MessengerSetup) throws(MessengerMistake) {
    name = order.name
    region = try order.text("region")
    let endpoint = order.texts["endpoint"] ?? "https://sns.\(region).amazonaws.com"
    url = endpoint.hasSuffix("/") ? endpoint : endpoint + "/"
    keyID = try order.text("access_key_id")
    secret = Array(try order.secret().revealed.utf8)
    var attributes = [("AWS.SNS.SMS.SMSType", "String", "Transactional")]
    if let sender = order.texts["sender_id"] {
      guard Self.isSenderID(sender) else {
        throw MessengerMistake(
          key: "sender_id", problem: "is not a valid sender ID for SNS",
          remedy: "write 1 to 11 letters, digits or hyphens, at least one of them a letter"
        )
      }
      attributes.append(("AWS.SNS.SMS.SenderID", "String", sender))
    }
    if let entity = order.texts["entity_id"] {
      attributes.append(("AWS.MM.SMS.EntityId", "String", entity))
    }
    if let template = order.texts["template_id"] {
      attributes.append(("AWS.MM.SMS.TemplateId", "String", template))
    }
    if let price = order.texts["max_price"] {
      attributes.append(("AWS.SNS.SMS.MaxPrice", "Number", price))
    }
    self.attributes = attributes
    calls = order.calls
    clock = order.clock
  }

  private static func isSenderID(_ text: String) -> Bool {
    (1...11).contains(text.utf8.count) && text.contains { $0.isLetter }
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    var members = [("Action", "Publish"), ("Message", message.text.revealed)]
    for (index, attribute) in attributes.enumerated() {
      let entry = "MessageAttributes.entry.\(index + 1)"
      members.append(("\(entry).Name", attribute.name))
      members.append(("\(entry).Value.DataType", attribute.type))
      members.append(("\(entry).Value.StringValue", attribute.value))
    }
    members.append(("PhoneNumber", try message.phoneNumber().e164))
    members.append(("Version", "2010-03-31"))
    let body = FormBody.encode(members)
    let request = AWSSignature(
      keyID: keyID, secret: secret, region: region, service: "sns", at: clock.now()
    ).request(url: url, body: body, deadlineMilliseconds: Self.deadlineMilliseconds)
    let answer = try await calls.handOver(request)
    let document = answer.body[...]
    guard answer.status == 200 else { throw fault(answer, code: element("Code", in: document)) }
    return Acceptance(reference: element("MessageId", in: document))
  }

  private func fault(_ answer: OutboundAnswer, code: String?) -> TextMessengerFault {
    let code = code ?? "answered \(answer.status)"
    switch code {
    case "Throttling", "ThrottlingException", "Throttled", "RequestLimitExceeded":
      return .retry(afterSeconds: max(1, answer.retryAfterSeconds ?? 1))
    case "ParameterValueInvalid", "InvalidParameterValue": return .never(code)
    // `OptedOut`: the owner of the number wants no more messages from this AWS account.
    case "InvalidParameter", "OptedOut", "UserError", "ValidationException":
      return .otherProvider(code)
    case "AuthorizationError", "InvalidClientTokenId", "SignatureDoesNotMatch", "AccessDenied",
      "ExpiredToken", "InvalidSecurity":
      return .otherProvider(code)
    default: return answer.fault
    }
  }

  /// The text of the first element with this name, or `nil` if it has other characters than
  /// letters, digits, hyphens and dots.
  ///
  /// All values that are needed here have only these.
  private func element(_ name: String, in document: ArraySlice<UInt8>) -> String? {
    guard let open = document.firstRange(of: Array("<\(name)>".utf8)),
      let close = document[open.upperBound...].firstRange(of: Array("</\(name)>".utf8))
    else { return nil }
    let text = document[open.upperBound..<close.lowerBound]
    let isPlain = text.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    return isPlain ? String(decoding: text, as: UTF8.self) : nil
  }
}

/// AWS Signature Version 4 for a form that is posted to the root path of a server.
struct AWSSignature {
  let keyID: String
  let secret: [UInt8]
  let region: String
  let service: String
  let at: Instant

  static let contentType = "application/x-www-form-urlencoded; charset=utf-8"

  func request(url: String, body: [UInt8], deadlineMilliseconds: Int64) -> OutboundRequest {
    OutboundRequest(
      .post, url,
      fields: [
        ("Content-Type", Self.contentType), ("X-Amz-Date", CalendarTime(at).stamp),
        ("Authorization", authorization(host: WebHost.authority(of: url), body: body)),
      ],
      body: body, deadlineMilliseconds: deadlineMilliseconds
    )
  }

  func authorization(host: String, body: [UInt8]) -> String {
    let scope = "\(CalendarTime(at).date)/\(region)/\(service)/aws4_request"
    return "AWS4-HMAC-SHA256 Credential=\(keyID)/\(scope), "
      + "SignedHeaders=content-type;host;x-amz-date, Signature=\(signature(host: host, body: body))"
  }

  func signature(host: String, body: [UInt8]) -> String {
    let time = CalendarTime(at)
    let canonical = """
      POST
      /

      content-type:\(Self.contentType)
      host:\(host)
      x-amz-date:\(time.stamp)

      content-type;host;x-amz-date
      \(SHA256Digest.of(body).hexadecimal)
      """
    let scope = "\(time.date)/\(region)/\(service)/aws4_request"
    let toSign = """
      AWS4-HMAC-SHA256
      \(time.stamp)
      \(scope)
      \(SHA256Digest.of(canonical).hexadecimal)
      """
    var key = Array("AWS4".utf8) + secret
    for part in [time.date, region, service, "aws4_request", toSign] {
      key = HMACSHA256.code(for: Array(part.utf8), key: key)
    }
    return key.hexadecimal
  }
}

/// The value of the `Host` header for a URL.
enum WebHost {
  static func authority(of url: String) -> String {
    let rest = url.drop { $0 != "/" }.drop { $0 == "/" }
    let authority = String(rest.prefix { $0 != "/" && $0 != "?" })
    if url.hasPrefix("https://"), authority.hasSuffix(":443") {
      return String(authority.dropLast(4))
    }
    return authority
  }
}
