public import SignInModel

/// A text message waiting to be handed to a provider, or already handed over.
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

  public let id: String
  public let to: PhoneNumber
  /// The text, sealed under a key outside the store, for it carries a code; empty once it is of no
  /// more use.
  public var sealedText: [UInt8]
  public let createdAt: Instant
  /// After this moment the message is of no use and is not sent any more.
  public let expiresAt: Instant
  /// Nobody else takes the message up before this moment.
  public var leasedUntil: Instant
  public var tries: Int64
  public var state: State

  public init(
    id: String, to: PhoneNumber, sealedText: [UInt8], createdAt: Instant, expiresAt: Instant,
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
