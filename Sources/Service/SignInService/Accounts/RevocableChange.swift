public import SignInModel
import SignInWire

/// What a person has changed in the own account and can take back for a while, or the erasure that
/// the person asked for.
public struct RevocableChange: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case email
    case phoneNumber = "phone_number"
    /// The account is erased when the time ends.
    case erasure
  }

  /// The address or number before a change, and what was known about it.
  public struct EarlierContact: Equatable, Sendable {
    public let value: Recipient
    /// How it was proved; nil if it was not.
    public let proof: ContactProof?
    /// Since when the number was not verified; nil if it was, and for an address.
    public let unverifiedSince: Instant?

    public init(value: Recipient, proof: ContactProof?, unverifiedSince: Instant?) {
      self.value = value
      self.proof = proof
      self.unverifiedSince = unverifiedSince
    }
  }

  /// How long a change of an address or a number can be taken back, in seconds: 7 days.
  public static let undoSeconds: Int64 = 7 * 24 * 60 * 60
  /// How long after a sign-in a person without a password can change the account, in seconds.
  public static let recentSignInSeconds: Int64 = 15 * 60
  /// How many changes of addresses and numbers one account can make in the time in which they can
  /// be taken back, and how many requests for an erasure.
  public static let limit = 5

  /// Random.
  public let id: String
  public let account: AccountID
  public let kind: Kind
  /// Nil if there was no address or number, and for an erasure.
  public let before: EarlierContact?
  /// The digest of the secret in the link of the message.
  public let digest: [UInt8]
  public let madeAt: Instant
  /// Until then it can be taken back.
  public private(set) var endsAt: Instant
  /// When it was taken back.
  ///
  /// It is stored until its end, so that a repeated request gets the same answer.
  public var undoneAt: Instant?

  public init(
    id: String, account: AccountID, kind: Kind, before: EarlierContact?, digest: [UInt8],
    madeAt: Instant, endsAt: Instant, undoneAt: Instant? = nil
  ) {
    self.id = id
    self.account = account
    self.kind = kind
    self.before = before
    self.digest = digest
    self.madeAt = madeAt
    self.endsAt = endsAt
    self.undoneAt = undoneAt
  }

  /// Whether it can be taken back.
  ///
  /// An erasure that could not take place at its end can still be cancelled.
  func isOpen(at now: Instant) -> Bool { undoneAt == nil && (now < endsAt || kind == .erasure) }

  /// Whether the account is erased at its end.
  var isDueErasure: Bool { kind == .erasure && undoneAt == nil }

  /// The erasure with a later end.
  func postponed(until end: Instant) -> RevocableChange {
    var later = self
    later.endsAt = end
    return later
  }

  /// Whether this session may take it back.
  ///
  /// A session that began after a change of an address or a number may be of another person.
  func concerns(_ session: Session) -> Bool {
    kind == .erasure || session.startedAt <= madeAt
  }

  /// What the account proves again when it is taken back.
  var proved: ProvedContacts {
    guard let before, before.proof != nil else { return .nothing }
    return ProvedContacts([before.value])
  }

  /// The account with the address or number that it had before, and with its proof.
  func undone(in account: Account) -> Account {
    var account = account
    switch kind {
    case .email:
      account.email = if case .email(let address) = before?.value { address } else { nil }
    case .phoneNumber:
      account.phone = before?.value.phone
      account.phoneChangedAt = before?.unverifiedSince
    case .erasure: break
    }
    if let before, let proof = before.proof { account.prove(before.value, by: proof) }
    return account
  }
}

extension Account {
  /// What a change of this kind replaces; nil if there is nothing.
  func before(_ kind: RevocableChange.Kind) -> RevocableChange.EarlierContact? {
    let value: Recipient? =
      switch kind {
      case .email: email.map { .email($0) }
      case .phoneNumber: phone.map { .phone($0) }
      case .erasure: nil
      }
    return value.map {
      RevocableChange.EarlierContact(
        value: $0, proof: proof(of: $0),
        unverifiedSince: kind == .phoneNumber ? phoneChangedAt : nil)
    }
  }
}

public protocol RevocableChangeRecords {
  /// Inserts the change.
  func insert(_ change: RevocableChange) throws(StoreFault)
  /// Saves when the change was taken back, and when it ends.
  ///
  /// Does nothing if the account has no such change.
  func update(_ change: RevocableChange) throws(StoreFault)
  /// The changes of the account, also those that were taken back or have ended, the oldest first.
  func revocableChanges(of account: AccountID) throws(StoreFault) -> [RevocableChange]
  func revocableChange(digest: [UInt8]) throws(StoreFault) -> RevocableChange?
  /// At most `limit` erasures whose time has ended at `moment` and that were not cancelled, the
  /// earliest first.
  func dueErasures(at moment: Instant, limit: Int) throws(StoreFault) -> [RevocableChange]
  /// Does nothing if the account has no such change.
  func removeRevocableChange(_ id: String, of account: AccountID) throws(StoreFault)
  /// Removes at most `limit` changes and cancelled erasures that ended before `moment`, and returns
  /// how many.
  func removeRevocableChanges(endedBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

extension RevocableChangeRecords {
  /// Refuses another change, or another request for an erasure, if there were too many.
  func checkChangeLimit(
    of account: AccountID, _ kinds: Set<RevocableChange.Kind>, at now: Instant
  ) throws {
    let made = try revocableChanges(of: account).filter {
      kinds.contains($0.kind) && now < $0.endsAt
    }
    guard made.count >= RevocableChange.limit, let first = made.map(\.endsAt).min() else { return }
    throw Refusal.rateLimited(until: first, at: now)
  }
}
