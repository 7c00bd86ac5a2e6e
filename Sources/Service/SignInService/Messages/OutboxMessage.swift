public import SignInModel

/// A message that waits for its hand-over, or that was handed over.
public struct OutboxMessage: Equatable, Sendable {
  public enum State: String, Sendable {
    case waiting
    /// A provider has accepted the message.
    case handedOver = "handed_over"
    /// The message will not be handed over: it expired, a newer code replaced it, or no messenger
    /// can send it.
    case failed
    /// The number belongs to no account, and a concealed app must not reveal that.
    ///
    /// The message is recorded like any other, and never sent.
    case decoy
  }

  /// The content of a message.
  public enum Kind: String, CaseIterable, Sendable {
    case code
    /// Information about the account without any secret, or an invitation with its link.
    case notice
  }

  /// The way in which a message reaches people.
  public enum Channel: String, CaseIterable, Sendable {
    case sms
    /// A phone call that reads the message out.
    case voice
    /// E-mail is used for notices, and for a code that proves the address itself.
    case email
  }

  /// The provider's later report about the message.
  public enum Receipt: String, CaseIterable, Sendable {
    /// The message is on its way.
    ///
    /// There is no final report yet.
    case delayed
    case delivered
    /// The network or the provider has stopped trying to deliver it.
    case undelivered
  }

  /// What became of a message, for people who look for messages.
  public enum Outcome: String, CaseIterable, Sendable {
    case waiting
    /// A messenger accepted the message, and there is no final report yet.
    case sent
    case delivered
    /// The message was not handed over, or it was not delivered.
    case failed
  }

  public let id: String
  public let to: Recipient
  /// The text, sealed under a key outside the store, because it can contain a code.
  ///
  /// It becomes empty when it is no longer needed.
  public var sealedText: [UInt8]
  public let createdAt: Instant
  /// After this time the message is useless and is not sent.
  public let expiresAt: Instant
  /// Before this time no other sender takes the message.
  public var leasedUntil: Instant
  /// How often a sender has taken the message.
  public var tries: Int64
  public var state: State
  /// The app that the message is for.
  ///
  /// `organization` is the one that pays, if there is one.
  public var client: ClientID?
  /// The account of the recipient.
  ///
  /// It is nil for a message of the operator, and for a message from before the account was stored.
  public var account: AccountID?
  public var organization: OrganizationID?
  public var kind = Kind.code
  public var channel = Channel.sms
  /// The number of parts in which the text is sent.
  ///
  /// Each part is paid for.
  public var segments: Int64 = 1
  /// The messenger that accepted the message.
  ///
  /// While the message waits: the messenger that may have accepted it.
  public var messenger: String?
  /// The identifier that this messenger gave the message.
  public var reference: String?
  /// The number of lost answers of messengers that cannot recognise a repetition.
  public var unclearCount: Int64 = 0
  public var handedOverAt: Instant?
  public var receipt: Receipt?
  public var receivedAt: Instant?
  /// The cost in millionths of the operator's currency; nil if no price is known.
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

  /// Nil for a decoy.
  public var outcome: Outcome? {
    switch state {
    case .waiting: .waiting
    case .failed: .failed
    case .decoy: nil
    case .handedOver:
      switch receipt {
      case .delivered: .delivered
      case .undelivered: .failed
      case .delayed, nil: .sent
      }
    }
  }
}
