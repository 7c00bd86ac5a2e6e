public import SignInModel

/// Carries one message to one phone or one mailbox.
public protocol TextMessenger: Sendable {
  /// The name operators gave it, for logs and metrics.
  var name: String { get }
  /// Whether it takes one message once, however often it is given: then a message whose answer was
  /// lost is given to it again.
  var knowsRepetitions: Bool { get }
  /// How it reaches people.
  var channel: OutboxMessage.Channel { get }
  /// Whether it can carry a message to such a place at all.
  func carries(_ recipient: Recipient) -> Bool
  /// Reads the provider's receipts, if it posts any.
  var receipts: (any ReceiptReader)? { get }
  /// Returns once the provider has taken charge of the message, not once it has arrived.
  ///
  /// It answers or faults within a few seconds, whatever the provider does.
  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Charge
  /// Removes what it keeps itself of messages to an erased person.
  func forget(_ recipients: Set<Recipient>)
}

extension TextMessenger {
  public var knowsRepetitions: Bool { false }
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

/// A provider's word that it carries a message.
public struct Charge: Equatable, Sendable {
  /// What the provider calls the message; its receipts name it.
  public let reference: String?
  /// It had taken this very message before.
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
  /// The same for every try too.
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
  /// The number it goes to, for messengers that reach phones alone.
  public func phoneNumber() throws(TextMessengerFault) -> PhoneNumber {
    guard let phone = to.phone else { throw .never("the recipient is no phone number") }
    return phone
  }
}

/// Why a provider did not say that it took charge, in words without secrets or numbers.
public enum TextMessengerFault: Error, Equatable, Sendable {
  /// It surely did not take the message, and may take it after this time.
  case retry(afterSeconds: Int64, because: String = "it asked to wait")
  /// It was given the message, and nobody can tell whether it took it.
  case unclear(String)
  /// It will not take this message; another provider may.
  case otherProvider(String)
  /// This number or text will never be taken.
  case never(String)
}

extension TextMessengerFault: CustomStringConvertible {
  /// What a log says of it.
  public var description: String {
    switch self {
    case .retry(let seconds, let why): "not sent, try again after \(seconds) s: \(why)"
    case .unclear(let why): "perhaps sent: \(why)"
    case .otherProvider(let why): "refused, another messenger may take it: \(why)"
    case .never(let why): "refused for good: \(why)"
    }
  }
}
