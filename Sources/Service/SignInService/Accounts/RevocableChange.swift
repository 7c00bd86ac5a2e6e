public import SignInModel

/// What a person has changed in the own account and can take back for a while.
public struct RevocableChange: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case email
    case phoneNumber = "phone_number"
    /// The account is erased when the time ends.
    case erasure
  }

  /// How long a change of an address or a number can be taken back, in seconds: 7 days.
  public static let undoSeconds: Int64 = 7 * 24 * 60 * 60
  /// How long after a sign-in a person without a password can change the account, in seconds.
  public static let recentSignInSeconds: Int64 = 15 * 60
  /// The changes of addresses and numbers of one account that can be taken back, at most.
  public static let limit = 5

  /// Random.
  public let id: String
  public let account: AccountID
  public let kind: Kind
  /// The address or number before the change; nil if there was none, and for an erasure.
  public let before: Recipient?
  /// The SHA-256 digest of the secret in the message to the old address or number.
  public let digest: [UInt8]
  public let madeAt: Instant
  /// Until then it can be taken back.
  public let endsAt: Instant

  public init(
    id: String, account: AccountID, kind: Kind, before: Recipient?, digest: [UInt8],
    madeAt: Instant, endsAt: Instant
  ) {
    self.id = id
    self.account = account
    self.kind = kind
    self.before = before
    self.digest = digest
    self.madeAt = madeAt
    self.endsAt = endsAt
  }

  func isOpen(at now: Instant) -> Bool { now < endsAt }

  /// The account with the address or number that it had before.
  func undone(in account: Account) -> Account {
    var account = account
    switch (kind, before) {
    case (.email, .email(let address)?): account.email = address
    case (.email, _): account.email = nil
    case (.phoneNumber, .phone(let number)?): account.phone = number
    case (.phoneNumber, _): account.phone = nil
    case (.erasure, _): break
    }
    return account
  }
}

public protocol RevocableChangeRecords {
  /// Inserts the change.
  func insert(_ change: RevocableChange) throws(StoreFault)
  /// The changes of the account, the oldest first.
  func revocableChanges(of account: AccountID) throws(StoreFault) -> [RevocableChange]
  func revocableChange(digest: [UInt8]) throws(StoreFault) -> RevocableChange?
  /// At most `limit` erasures whose time has ended at `moment`, the earliest first.
  func dueErasures(at moment: Instant, limit: Int) throws(StoreFault) -> [RevocableChange]
  /// Does nothing if the account has no such change.
  func removeRevocableChange(_ id: String, of account: AccountID) throws(StoreFault)
  /// Removes at most `limit` changes of addresses and numbers that ended before `moment`, and
  /// returns how many.
  func removeRevocableChanges(endedBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
