public import SignInModel
import SignInWire

extension Account {
  /// How the account has proved that it has this address or number; nil if it has not.
  ///
  /// Each search for the receiver of data by an address or a number must ask this.
  public func proof(of recipient: Recipient) -> ContactProof? {
    switch recipient {
    case .email(let address): email == address ? emailProof : nil
    case .phone(let number): phone == number ? phoneProof : nil
    }
  }

  /// Marks the address or the number as proved, if the account has it and it is not proved yet.
  public mutating func prove(_ recipient: Recipient, by proof: ContactProof) {
    switch recipient {
    case .email(let address):
      if email == address, emailProof == nil { emailProof = proof }
    case .phone(let number):
      if phone == number, phoneProof == nil { phoneProof = proof }
    }
  }

  /// Marks everything that the account has as proved.
  public mutating func proveContacts(by proof: ContactProof) {
    for recipient in contacts { prove(recipient, by: proof) }
  }

  /// The address and the number of the account.
  var contacts: [Recipient] {
    [email.map { .email($0) }, phone.map { .phone($0) }].compactMap { $0 }
  }

  /// Whether the account gets the products that wait for its address.
  var receivesWaitingProducts: Bool { role == .owner && status == .active && emailProof != nil }
}

extension AccountEditingRules {
  /// The proof of an address or a number that this person writes; nil if it proves nothing.
  ///
  /// An administrator of single organizations could write the address of a person elsewhere, so
  /// this proves nothing.
  func proof(_ permission: Permission) -> ContactProof? {
    guard administrator != nil else { return .operatorCommand }
    return permission.hasEverywhere(.administrator) ? .administrator : nil
  }
}

extension Refusal {
  static var addressNotProved: Refusal {
    Refusal.invalidRequest(
      "the account has not proved this e-mail address; an administrator of all organizations can"
        + " confirm it by writing it again")
  }
}

extension IdentityProvider.Settings {
  /// Whether a verified claim of this provider proves the address or the number.
  ///
  /// The provider of one organization proves only addresses of the domains that the configuration
  /// gives it, because the organization may control what the provider says.
  func vouches(for recipient: Recipient) -> Bool {
    switch recipient {
    case .email(let address):
      accepts(address) && (administeredBy == nil || !emailDomains.isEmpty)
    case .phone: administeredBy == nil
    }
  }
}

/// The records that a new proof of an address changes.
typealias ContactProvingRecords = AccountRecords & EventRecords & WaitingProductRecords

extension AccountRecords where Self: ContactProvingRecords {
  /// Saves that an account has proved an address or a number, and gives it what waits for it.
  ///
  /// - Returns: The account with the proof. It is the same if there is nothing new.
  @discardableResult
  func prove(
    _ recipients: [Recipient], of account: Account, by proof: ContactProof, _ caller: Caller,
    at now: Instant
  ) throws(StoreFault) -> Account {
    var proved = account
    for recipient in recipients { proved.prove(recipient, by: proof) }
    guard proved != account else { return account }
    try update(proved)
    try recordProofs(of: account, proved, by: caller, at: now)
    try deliverWaitingProducts(to: proved)
    return proved
  }
}

extension EventRecords {
  /// Records the proofs of an address and a number that did not change themselves.
  func recordProofs(
    of before: Account, _ after: Account, by caller: Caller, at now: Instant
  ) throws(StoreFault) {
    if let proof = after.emailProof, before.emailProof == nil, before.email == after.email {
      try record(.emailVerified, about: after.id, detail: proof.rawValue, by: caller, at: now)
    }
    if let proof = after.phoneProof, before.phoneProof == nil, before.phone == after.phone {
      try record(.phoneVerified, about: after.id, detail: proof.rawValue, by: caller, at: now)
    }
  }
}
