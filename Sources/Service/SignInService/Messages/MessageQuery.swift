public import SignInModel

/// The filter of a list of messages.
public struct MessageQuery: Equatable, Sendable {
  public var outcome: OutboxMessage.Outcome?
  public var to: Recipient?
  public var kind: OutboxMessage.Kind?
  public var account: AccountID?
  public var period = Period()

  public init() {}

  /// Decoys match no query.
  public func finds(_ message: OutboxMessage) -> Bool {
    message.state != .decoy && (outcome == nil || message.outcome == outcome)
      && (to == nil || message.to == to) && (kind == nil || message.kind == kind)
      && (account == nil || message.account == account) && period.contains(message.createdAt)
  }
}
