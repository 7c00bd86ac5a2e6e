public import SignInModel

/// An address or a number that an account had before.
///
/// Texts about other people can still contain it, so an erasure of the account removes them too. A
/// former contact is stored as long as the texts of the time when the account had it.
public struct FormerContact: Equatable, Sendable {
  public let account: AccountID
  public let value: Recipient
  /// How it was proved; nil if it was not.
  public let proof: ContactProof?
  /// When it was replaced or removed.
  ///
  /// It is nil until the next removal of expired records, because a store that saves an account
  /// does not know the time.
  public let replacedAt: Instant?

  public init(account: AccountID, value: Recipient, proof: ContactProof?, replacedAt: Instant?) {
    self.account = account
    self.value = value
    self.proof = proof
    self.replacedAt = replacedAt
  }
}
