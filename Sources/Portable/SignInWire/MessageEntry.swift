public import JSONText
public import SignInModel

/// One message in the log at `GET /admin/messages`.
///
/// It never contains the text of the message.
public struct MessageEntry: Equatable, Sendable {
  public let id: String
  /// Masked: `***-***-1234`, or `t***@example.com`.
  public let to: String
  /// `waiting`, `handed_over` or `failed`.
  public let state: String
  public let tries: Int64
  public let createdAt: Instant
  /// After this moment the message is useless and is not sent.
  public let expiresAt: Instant
  /// `code` or `notice`.
  public var kind = "code"
  /// `sms`, `voice` or `email`.
  public var channel = "sms"
  /// The number of parts of the text message.
  public var segments: Int64 = 1
  public var client: String?
  public var organization: String?
  /// The messenger that accepted the message, or that may have accepted it.
  public var messenger: String?
  public var handedOverAt: Instant?
  /// `delayed`, `delivered` or `undelivered`, after the provider reported it.
  public var receipt: String?
  public var receivedAt: Instant?
  /// In millionths of the operator's currency.
  public var price: Int64?

  public init(
    id: String, to: String, state: String, tries: Int64, createdAt: Instant, expiresAt: Instant
  ) {
    self.id = id
    self.to = to
    self.state = state
    self.tries = tries
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  /// Reads what the console shows, without the channel and the cost.
  public init?(json: JSON) {
    guard let id = json.text(.id), let to = json.text(.to), let state = json.text(.state),
      let tries = json.count(.tries), let createdAt = json.unixSeconds(.createdAt),
      let expiresAt = json.unixSeconds(.expiresAt)
    else { return nil }
    self.init(
      id: id, to: to, state: state, tries: tries, createdAt: Instant(seconds: createdAt),
      expiresAt: Instant(seconds: expiresAt)
    )
    kind = json.text(.kind) ?? kind
    client = json.text(.client)
    organization = json.text(.organization)
    messenger = json.text(.messenger)
    handedOverAt = json.unixSeconds(.handedOverAt).map { Instant(seconds: $0) }
    receipt = json.text(.receipt)
    receivedAt = json.unixSeconds(.receivedAt).map { Instant(seconds: $0) }
  }

  /// `waiting`, `sent`, `delivered` or `failed`, as in a `MessagesQuery`.
  ///
  /// It is the state if a newer server has another one.
  public var outcome: String {
    if state.hasSameBytes(as: "handed_over") {
      guard let receipt else { return "sent" }
      if receipt.hasSameBytes(as: "undelivered") { return "failed" }
      return receipt.hasSameBytes(as: "delivered") ? receipt : "sent"
    }
    return state
  }

  public var json: JSON {
    .members([
      JSONMember(.id, id),
      JSONMember(.to, to),
      JSONMember(.state, state),
      JSONMember(.tries, tries),
      JSONMember(.createdAt, createdAt.seconds),
      JSONMember(.expiresAt, expiresAt.seconds),
      JSONMember(.kind, kind),
      JSONMember(.channel, channel),
      JSONMember(.segments, segments),
      JSONMember(.client, ifPresent: client),
      JSONMember(.organization, ifPresent: organization),
      JSONMember(.messenger, ifPresent: messenger),
      JSONMember(.handedOverAt, ifPresent: handedOverAt?.seconds),
      JSONMember(.receipt, ifPresent: receipt),
      JSONMember(.receivedAt, ifPresent: receivedAt?.seconds),
      JSONMember(.price, ifPresent: price),
    ])
  }
}
