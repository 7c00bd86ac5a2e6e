import SignInModel

/// Addresses and numbers that a person proves in a decision.
///
/// An account that has one of them without a proof loses it: a person only typed it there, and it
/// would keep it from the person to whom it belongs.
struct ProvedContacts: Sendable {
  /// Nothing is proved, so no account loses anything.
  static let nothing = ProvedContacts([])

  private let values: [Recipient]
  /// The organization whose provider gives the proof; nil if the proof is not of one organization.
  private let limit: OrganizationID?
  /// Whether the person has no account yet.
  private let isForNewAccount: Bool

  init(
    _ values: [Recipient], within limit: OrganizationID? = nil, forNewAccount isNew: Bool = false
  ) {
    self.values = values
    self.limit = limit
    isForNewAccount = isNew
  }

  /// Whether the other account loses the value.
  ///
  /// A provider of one organization takes nothing from an account that is also elsewhere. A person
  /// whose account was closed does not get a new one with the same address or number. A global
  /// administrator loses nothing, because one must always be able to sign in. No administrator of
  /// single organizations can make such an account.
  func areTaken(_ value: Recipient, from other: Account) -> Bool {
    guard values.contains(value), other.proof(of: value) == nil, !other.isGlobalAdministrator
    else { return false }
    if isForNewAccount, other.status == .deactivated || other.status == .rejected { return false }
    guard let limit else { return true }
    return other.organizations.contains(limit) && other.isOnly(in: limit)
  }
}

extension IdentityProvider.Settings {
  /// What a person proves with these values of a verified claim.
  func proved(_ values: [Recipient], forNewAccount isNew: Bool = false) -> ProvedContacts {
    ProvedContacts(
      values.filter { vouches(for: $0) }, within: administeredBy, forNewAccount: isNew)
  }
}

extension AccountRecords {
  /// The account with this value, among those that cannot share it with an account of this role.
  func holder(of value: Recipient, as role: AccountRole) throws(StoreFault) -> Account? {
    switch value {
    case .email(let address): try account(email: address)
    case .phone(let number): try account(phone: number, role: role)
    }
  }
}

extension AccountRecords where Self: SignOut.Records {
  /// Takes what the account proves from other accounts, after `taken(by:proving:_:)` and before the
  /// account is saved.
  ///
  /// The other account gets no message at this address or number, because another person reads it.
  /// Its event does not name the device and the network of that person.
  func take(
    _ proved: ProvedContacts, for account: Account, at now: Instant
  ) throws(StoreFault) {
    let caller = Caller(client: nil, peer: nil, proofKeyThumbprint: nil)
    for value in account.contacts {
      guard let other = try holder(of: value, as: account.role), other.id != account.id,
        proved.areTaken(value, from: other)
      else { continue }
      var after = other
      switch value {
      case .email: after.email = nil
      case .phone: (after.phone, after.phoneChangedAt) = (nil, nil)
      }
      try update(after)
      try record(
        .accountChanged, about: other.id, detail: "proved_elsewhere " + value.changeKind.rawValue,
        by: caller, at: now)
      try signOut(replacing: other, with: after, keeping: nil, by: caller, at: now)
    }
  }
}
