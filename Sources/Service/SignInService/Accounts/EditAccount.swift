public import SignInModel
import SignInRules
public import SignInWire

/// Makes all the changes to an account, or none (T-16).
///
/// A new phone number receives codes at once. Until one of them is entered, the number is marked as
/// unverified and cannot replace a password. A number can be removed only if the person can sign in
/// at an identity provider. A new number or role, or a removed number, ends every session. Removing
/// an organization ends the sessions in it. If the number or the e-mail address changes, a notice
/// goes to the old one.
///
/// An administrator of all organizations also confirms an address or a number by writing it again.
public func editAccount(
  _ id: AccountID, _ change: AccountChange, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> AccountEntry {
  try world.checkConfigured(change.organizations ?? [])
  try world.checkConfigured(change.permission ?? .none)
  let now = world.clock.now()
  let edit = AccountEdit(
    change: change, rules: rules, now: now, providers: world.providers,
    contact: ContactSettling(.addressChanged, at: now, in: world),
    reason: change.reason.map { reason in
      EventText(
        account: id, salt: world.randomness.bytes(EventText.saltByteCount), text: reason.text,
        writtenAt: now)
    }
  )
  defer { world.messageRecorded() }
  return try await world.decide(about: [.account(id), rules.subject] + change.subjects) {
    (transaction: any AccountEdit.Records) throws in
    try edit.decide(id, transaction).entry(at: now, transaction)
  }
}

/// One change, decided in one transaction.
private struct AccountEdit: Sendable {
  typealias Records =
    ContactProposalRecords & ContactProvingRecords & ContactSettling.Records & IdentityRecords
    & RevocableChangeRecords

  let change: AccountChange
  let rules: AccountEditingRules
  let now: Instant
  /// Nil if no provider is configured, and for a command, which does not know them.
  let providers: ProviderDirectory?
  let contact: ContactSettling
  let reason: EventText?

  func decide(
    _ id: AccountID, _ transaction: any Records
  ) throws -> Account {
    let permission = try rules.permission(transaction)
    guard let before = try transaction.account(id), permission.sees(before) else {
      throw Refusal.noSuchAccount
    }
    var after = edited(before, permission)
    let changed = ChangedMember.allCases.filter { $0.differs(before, after) }
    try permission.check(editing: before, into: after, change)
    try check(changed, of: before, into: after)
    if let taken = try taken(by: after, transaction) { throw taken }
    let isLinked = try hasUsableIdentity(id, transaction)
    if before.phone != nil, after.phone == nil, !isLinked {
      throw Refusal.phoneNeeded("because the account has no identity", "link an identity first")
    }
    // All checks come before the first write.
    if let status = change.status { try transaction.check(status, of: after, by: rules) }
    if try transaction.isLastAdministrator(before), !after.isGlobalAdministrator {
      throw Refusal.lastAdministrator
    }
    if let proof = rules.proof(permission), rules.administrator != id {
      for recipient in change.written { after.prove(recipient, by: proof) }
    }
    if changed.contains(.phoneNumber) { after.phoneChangedAt = after.phone == nil ? nil : now }
    if after != before { try transaction.update(after) }
    try transaction.recordProofs(of: before, after, by: rules.caller, at: now)
    try transaction.deliverWaitingProducts(to: after)
    try settle(changed, of: before, into: after, transaction)
    guard let status = change.status else { return after }
    return try transaction.lead(
      after, to: status, because: reason, rules: rules, at: now)
  }

  /// Whether the account has an identity with which the person can sign in.
  private func hasUsableIdentity(
    _ id: AccountID, _ transaction: any IdentityRecords
  ) throws(StoreFault) -> Bool {
    let identities = try transaction.identities(of: id)
    if providers == nil, rules.administrator == nil { return !identities.isEmpty }
    return identities.contains { providers?.provider($0.provider) != nil }
  }

  private func edited(_ account: Account, _ permission: Permission) -> Account {
    var account = account
    if let name = change.name { account.name = name.text }
    switch change.email {
    case .set(let address): account.email = address
    case .removed: account.email = nil
    case nil: break
    }
    switch change.phone {
    case .set(let number): account.phone = number
    case .removed: account.phone = nil
    case nil: break
    }
    if let organizations = change.organizations { account.organizations = organizations.unique }
    let wasAdministrator = account.role == .administrator
    if let role = change.role { account.role = role }
    if account.role != .administrator {
      account.permission = .none
    } else if let granted = change.permission {
      account.permission = granted
    } else if !wasAdministrator {
      account.permission = permission
    }
    return account
  }

  /// The rules that apply to every administrator.
  private func check(
    _ members: [ChangedMember], of before: Account, into after: Account
  ) throws(Refusal) {
    if after.role != .administrator, let permission = change.permission, permission != .none {
      throw .permissionsOfAdministrators
    }
    // An account that an identity provider created may have neither.
    if after.email == nil, after.role != .rider, before.email != nil || before.role == .rider {
      throw .invalidRequest("email is needed for this role")
    }
    if after.phone == nil, after.role == .rider {
      throw .phoneNeeded("for this role", "write a number such as +4790000001")
    }
    // If administrators could change their own number or permission, a stolen session could make
    // its access permanent.
    if rules.administrator == before.id, members.contains(where: { $0 != .name }) {
      throw .ownAccount
    }
  }

  private func settle(
    _ changed: [ChangedMember], of before: Account, into after: Account,
    _ transaction: any ContactProposalRecords & ContactSettling.Records & RevocableChangeRecords
  ) throws(StoreFault) {
    guard !changed.isEmpty else { return }
    try transaction.endOpenRequests(
      of: before, becoming: after, named: rules.name, by: rules.caller, at: now)
    let names = changed.map(\.rawValue)
    // A link to an earlier address must not take back what an administrator has decided since.
    for own in try transaction.revocableChanges(of: after.id)
    where names.contains(own.kind.rawValue) {
      try transaction.removeRevocableChange(own.id, of: after.id)
    }
    let detail = ([rules.name] + names).joined(separator: " ")
    try transaction.record(
      .accountChanged, about: after.id, detail: detail, by: rules.caller, at: now)
    if changed.contains(.permissions) {
      let granted = ([rules.name] + after.permission.words).joined(separator: " ")
      try transaction.record(
        .accountPermissionChanged, about: after.id, detail: granted, by: rules.caller, at: now)
    }
    try contact.settle(before, after, keeping: nil, by: rules.caller, transaction)
    guard let extent = try transaction.signOut(leaving: before, for: after) else { return }
    try transaction.signOut(
      after.id, from: extent, because: .revoked, by: rules.caller, at: now)
  }
}

extension Permission {
  /// Refuses to change a visible account to `after` if this permission does not allow it.
  fileprivate func check(
    editing before: Account, into after: Account, _ change: AccountChange
  ) throws(Refusal) {
    let left = before.organizations.filter { !after.organizations.contains($0) }
    let joined = after.organizations.filter { !before.organizations.contains($0) }
    try check(joining: joined + left)
    var leaving = AccountChange()
    leaving.organizations = change.organizations
    let isOnlyLeaving = change == leaving && joined.isEmpty && !left.isEmpty
    // Removing an account from the administrator's own organization has no effect in other
    // organizations.
    if isOnlyLeaving {
      guard covers(before.permission) else { throw .targetHasMorePermission }
    } else {
      try check(changing: before, needing: .administrator)
    }
    if after.organizations.isEmpty, !hasEverywhere(.administrator) {
      throw .permissionDenied("organizations: the account needs one")
    }
    guard covers(after.permission) else { throw .grantsTooMuch }
  }
}

extension Account {
  /// Whether the account may do everything.
  ///
  /// At least one such account must exist.
  var isGlobalAdministrator: Bool {
    role == .administrator && status == .active && permission.hasEverywhere(.administrator)
  }
}

extension AccountRecords {
  /// Whether this is the only active account that may do everything.
  func isLastAdministrator(_ account: Account) throws(StoreFault) -> Bool {
    guard account.isGlobalAdministrator else { return false }
    return try hasGlobalAdministrator(besides: account.id) == false
  }
}

extension AccountRecords where Self: OutboxRecords & EventRecords {
  /// Whether a code was sent to the current number of the account.
  ///
  /// This matters only for a changed number that is not verified yet, and for a removed one: a code
  /// that was sent to the old number does not verify the new one.
  func wasSentToCurrentNumber(
    of account: Account?, _ challenge: CodeChallenge
  ) throws(StoreFault) -> Bool {
    guard let account else { return true }
    guard let phone = account.phone else { return false }
    guard account.phoneChangedAt != nil else { return true }
    return try message(challenge.id)?.to == .phone(phone)
  }

  /// Marks the number as verified, because a code that was sent there was entered.
  ///
  /// - Returns: The account with the verified number.
  @discardableResult
  func verifyPhone(
    of account: Account, with challenge: CodeChallenge, by caller: Caller, at now: Instant
  ) throws(StoreFault) -> Account {
    var verified = account
    verified.phoneChangedAt = nil
    if let phone = account.phone, account.phoneProof == nil,
      try message(challenge.id)?.to == .phone(phone)
    {
      verified.prove(.phone(phone), by: .code)
    }
    guard verified != account else { return account }
    try update(verified)
    try record(
      .phoneVerified, about: account.id, detail: ContactProof.code.rawValue, by: caller, at: now)
    return verified
  }
}

extension Refusal {
  /// The refusal to leave an account without a phone number.
  fileprivate static func phoneNeeded(_ reason: String, _ remedy: String) -> Refusal {
    .mistaken([
      MemberMistake(
        member: WireField.phoneNumber.rawValue, problem: "is needed " + reason,
        remedy: remedy)
    ])
  }
}
