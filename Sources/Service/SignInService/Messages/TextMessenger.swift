public import SignInModel

/// Sends messages to phones or mailboxes.
public protocol TextMessenger: Sendable {
  /// The name in the configuration, for logs and metrics.
  var name: String { get }
  /// Whether the messenger sends a message only once, even if it gets the message again.
  ///
  /// If so, a message is handed to it again after its answer was lost.
  var deduplicatesMessages: Bool { get }
  /// The channel that the messenger uses.
  var channel: OutboxMessage.Channel { get }
  /// Whether the messenger can send to this kind of recipient: a phone number or an e-mail.
  func carries(_ recipient: Recipient) -> Bool
  /// Reads the provider's receipts, if the provider sends any.
  var receipts: (any ReceiptReader)? { get }
  /// Hands the message to the provider, and returns when the provider has accepted it.
  ///
  /// The message may arrive later. The function returns or throws within a few seconds, even if the
  /// provider does not answer.
  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance
  /// Deletes what the messenger itself stores of messages to an erased person.
  func forget(_ recipients: Set<Recipient>)
}

extension TextMessenger {
  public var deduplicatesMessages: Bool { false }
  public var channel: OutboxMessage.Channel { .sms }
  public var receipts: (any ReceiptReader)? { nil }
  public func forget(_ recipients: Set<Recipient>) {}
  public func carries(_ recipient: Recipient) -> Bool {
    switch recipient {
    case .phone: channel != .email
    case .email: channel == .email
    }
  }
}

/// The provider's confirmation that it has accepted a message.
public struct Acceptance: Equatable, Sendable {
  /// The identifier that the provider gave the message.
  ///
  /// Its receipts contain this identifier.
  public let reference: String?
  /// Whether the provider had accepted this same message before.
  public let isRepeated: Bool

  public init(reference: String? = nil, isRepeated: Bool = false) {
    self.reference = reference
    self.isRepeated = isRepeated
  }
}

public struct TextMessage: Sendable {
  /// The same for every try, so that a provider can recognise a repetition.
  public let id: String
  public let to: Recipient
  public let kind: OutboxMessage.Kind
  public let text: Secret
  /// The same for every try, like `id`.
  public let createdAt: Instant
  public let expiresAt: Instant

  public init(
    id: String, to: Recipient, kind: OutboxMessage.Kind = .code, text: Secret,
    createdAt: Instant, expiresAt: Instant
  ) {
    self.kind = kind
    self.createdAt = createdAt
    self.id = id
    self.to = to
    self.text = text
    self.expiresAt = expiresAt
  }
}

extension TextMessage {
  /// The phone number of the recipient, for messengers that reach phones only.
  public func phoneNumber() throws(TextMessengerFault) -> PhoneNumber {
    guard let phone = to.phone else { throw .never("the recipient is not a phone number") }
    return phone
  }
}

/// The reason why a provider did not confirm a message, without secrets or phone numbers.
public enum TextMessengerFault: Error, Equatable, Sendable {
  /// The provider did not accept the message.
  ///
  /// It may accept it after this time.
  case retry(afterSeconds: Int64, because: String = "it asked to wait")
  /// The provider received the message, and it is unknown whether it accepted it.
  case unclear(String)
  /// The provider does not accept this message.
  ///
  /// Another provider may accept it.
  case otherProvider(String)
  /// No provider can send to this number, or send this text.
  case never(String)
}

extension TextMessengerFault: CustomStringConvertible {
  /// The text for the log.
  public var description: String {
    switch self {
    case .retry(let seconds, let why): "not sent, try again after \(seconds) s: \(why)"
    case .unclear(let why): "perhaps sent: \(why)"
    case .otherProvider(let why): "refused, another messenger may take it: \(why)"
    case .never(let why): "refused permanently: \(why)"
    }
  }
}
