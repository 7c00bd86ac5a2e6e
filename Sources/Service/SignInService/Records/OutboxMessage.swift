public import SignInModel

/// A message waiting to be handed to a provider, or already handed over.
public struct OutboxMessage: Equatable, Sendable {
  public enum State: String, Sendable {
    case waiting
    /// A provider took charge of it.
    case handedOver = "handed_over"
    /// It was not handed over while it could still be of use.
    case failed
    /// Nobody has this number, and a concealed app must not tell: recorded like any other message,
    /// and never sent.
    case decoy
  }

  /// What a message says.
  public enum Kind: String, CaseIterable, Sendable {
    case code
    /// That something happened to the account, without any secret; or an invitation with its
    /// link.
    case notice
  }

  /// How a message reaches people.
  public enum Channel: String, CaseIterable, Sendable {
    case sms
    /// A call that reads the message out.
    case voice
    /// Notices alone are sent by e-mail.
    case email
  }

  /// What a provider later said became of it.
  public enum Receipt: String, CaseIterable, Sendable {
    /// On its way; the network has not said more.
    case delayed
    case delivered
    /// The network gave it up, or the provider did.
    case undelivered
  }

  public let id: String
  public let to: Recipient
  /// The text, sealed under a key outside the store, for it carries a code; empty once it is of no
  /// more use.
  public var sealedText: [UInt8]
  public let createdAt: Instant
  /// After this moment the message is of no use and is not sent any more.
  public let expiresAt: Instant
  /// Nobody else takes the message up before this moment.
  public var leasedUntil: Instant
  /// How often it was taken up.
  public var tries: Int64
  public var state: State
  /// Whose app it is for, and the organization that pays, if there is one.
  public var client: ClientID?
  /// The account of the person who gets it; nil for a message of the operator's, or from before it
  /// was stored.
  public var account: AccountID?
  public var organization: OrganizationID?
  public var kind = Kind.code
  public var channel = Channel.sms
  /// Parts the text is sent as, each of which is paid for.
  public var segments: Int64 = 1
  /// The messenger that took charge; while the message waits, the one that may have it.
  public var messenger: String?
  /// What that messenger calls it.
  public var reference: String?
  /// Answers that never came from messengers that cannot recognise a repetition.
  public var doubts: Int64 = 0
  public var handedOverAt: Instant?
  public var receipt: Receipt?
  public var receivedAt: Instant?
  /// What it cost, in millionths of the operator's currency; nil when no price is known.
  public var price: Int64?

  public init(
    id: String, to: Recipient, sealedText: [UInt8], createdAt: Instant, expiresAt: Instant,
    leasedUntil: Instant, tries: Int64, state: State
  ) {
    self.id = id
    self.to = to
    self.sealedText = sealedText
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.leasedUntil = leasedUntil
    self.tries = tries
    self.state = state
  }
}
