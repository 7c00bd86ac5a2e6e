import SignInModel
public import SignInWire

private typealias AcceptingRecords =
  ContactProposal.Records & ContactProvingRecords & ContactSettling.Records

/// The random identifiers of the proposals of one sign-in.
///
/// They are drawn before the transaction, because a decision may run again.
struct ProposalIdentifiers: Sendable {
  let phone: String
  let email: String

  init(in world: World) {
    phone = world.handle(bytes: 16)
    email = world.handle(bytes: 16)
  }
}

extension AccountRecords where Self: ContactProposalRecords {
  /// Proposes the verified number and address of a sign-in that the account does not have.
  ///
  /// Administrators get no proposal: they cannot change their own number or address, because a
  /// stolen session could make its access permanent. A provider of one organization proposes
  /// nothing for an account that is also in others: the new number would replace a password there.
  func propose(
    _ claims: ProviderClaims, of provider: IdentityProvider, to account: Account,
    _ ids: ProposalIdentifiers, at now: Instant
  ) throws(StoreFault) {
    guard account.status == .active, account.role != .administrator else { return }
    if let owner = provider.settings.administeredBy, !account.isOnly(in: owner) {
      let issuer = provider.settings.identityIssuer
      return try removeOpenProposals(of: account.id) { $0.issuer.hasSameBytes(as: issuer) }
    }
    func proposal(_ id: String, _ value: Recipient) -> ContactProposal {
      ContactProposal(
        id: id, account: account.id, provider: provider.name,
        issuer: provider.settings.identityIssuer, subject: claims.subject, value: value,
        proposedAt: now)
    }
    if let phone = claims.phone {
      try propose(proposal(ids.phone, .phone(phone)), of: provider, to: account, at: now)
    }
    if let email = claims.email, provider.settings.accepts(email) {
      try propose(proposal(ids.email, .email(email)), of: provider, to: account, at: now)
    }
  }

  /// Replaces the earlier proposals of this channel, if the value is new to the person and no other
  /// account keeps it.
  private func propose(
    _ proposal: ContactProposal, of provider: IdentityProvider, to account: Account,
    at now: Instant
  ) throws(StoreFault) {
    let known = try contactProposals(of: account.id).filter { $0.channel == proposal.channel }
    let earlier = known.first { other in
      other.issuer.hasSameBytes(as: proposal.issuer)
        && other.subject.hasSameBytes(as: proposal.subject)
    }
    let after = proposal.value.set(in: account)
    let isSame = earlier?.value == proposal.value
    if after != account, isSame, earlier?.declinedAt != nil { return }
    let proved = provider.settings.proved([proposal.value])
    guard after != account, try taken(by: after, proving: proved, self) == nil else {
      if let earlier { try removeContactProposal(earlier.id, of: account.id) }
      return
    }
    if isSame, earlier?.isOpen(at: now) == true { return }
    for other in known where other.declinedAt == nil {
      try removeContactProposal(other.id, of: account.id)
    }
    try save(proposal)
  }
}

extension ContactProposalRecords {
  /// Removes the account's proposals that are not declined and that match.
  func removeOpenProposals(
    of account: AccountID, where matches: (ContactProposal) -> Bool = { _ in true }
  ) throws(StoreFault) {
    for proposal in try contactProposals(of: account)
    where proposal.declinedAt == nil && matches(proposal) {
      try removeContactProposal(proposal.id, of: account)
    }
  }
}

extension ContactProposalRecords where Self: EventRecords & RevocableChangeRecords {
  /// Ends what began before an account gets another role or joins an organization: open proposals,
  /// links that take a change back, and a requested erasure.
  ///
  /// A provider of an earlier organization may have caused them, and a link must not change the
  /// contacts of a new administrator. `name` is who changes the account, for the security log.
  func endOpenRequests(
    of before: Account, becoming after: Account, named name: String, by caller: Caller,
    at now: Instant
  ) throws(StoreFault) {
    let isJoining = after.organizations.contains { !before.organizations.contains($0) }
    guard isJoining || after.role != before.role else { return }
    try removeOpenProposals(of: after.id)
    for own in try revocableChanges(of: after.id) where own.undoneAt == nil {
      try removeRevocableChange(own.id, of: after.id)
      guard own.kind == .erasure else { continue }
      try record(.erasureCancelled, about: after.id, detail: name, by: caller, at: now)
    }
  }
}

extension ContactProposal {
  typealias Records = AccountRecords & ContactProposalRecords & IdentityRecords
}

extension AccountRecords where Self: ContactProposal.Records {
  /// The proposals that this session may show and answer, the number first.
  func proposals(
    for session: Session, at now: Instant, in world: World
  ) throws(StoreFault) -> [ContactProposal] {
    guard session.provider != nil, session.hasAccountScope else { return [] }
    let found = try contactProposals(of: session.account).filter { $0.concerns(session, at: now) }
    guard !found.isEmpty, let account = try account(session.account), account.status == .active,
      account.role != .administrator, world.limit(of: session, account) == nil
    else { return [] }
    let identities = try identities(of: account.id)
    let open = found.filter { proposal in
      proposal.value.set(in: account) != account
        && identities.contains { identity in
          identity.issuer.hasSameBytes(as: proposal.issuer)
            && identity.subject.hasSameBytes(as: proposal.subject)
        }
    }
    return open.filter { $0.channel == .phone } + open.filter { $0.channel == .email }
  }

  /// The proposal with this identifier, and its account.
  fileprivate func proposal(
    _ id: String, for session: Session, at now: Instant, in world: World
  ) throws(StoreFault) -> (ContactProposal, Account)? {
    let open = try proposals(for: session, at: now, in: world)
    guard let found = open.first(where: { $0.id == id }),
      let account = try account(session.account)
    else { return nil }
    return (found, account)
  }
}

/// Gives the account the number or the address that a provider has verified, because its person
/// accepted it.
///
/// An account that has it without a proof loses it, if the provider proves it. A notice goes to the
/// old one. A new number ends every other session of the account.
public func acceptContactProposal(
  _ id: String, _ access: Access, languages: [String], peer: String?, in world: World
) async throws(Refusal) {
  let now = world.clock.now()
  let (own, caller) = (access.session, access.caller(peer: peer))
  let contact = ContactSettling(.addressAccepted, languages: languages, at: now, in: world)
  let value: Recipient = try await world.read { (transaction: any ContactProposal.Records) throws in
    guard let (proposal, _) = try transaction.proposal(id, for: own, at: now, in: world) else {
      throw Refusal.noSuchProposal
    }
    return proposal.value
  }
  try await world.decide(about: [.account(own.account), Subject(value)]) {
    (transaction: any AcceptingRecords) throws in
    guard let (proposal, before) = try transaction.proposal(id, for: own, at: now, in: world)
    else {
      throw Refusal.noSuchProposal
    }
    var after = proposal.value.set(in: before)
    let provider = world.providers?.provider(proposal.provider)?.settings
    let proved = provider?.proved([proposal.value]) ?? .nothing
    if let taken = try taken(by: after, proving: proved, transaction) { throw taken }
    let isPhone = proposal.channel == .phone
    // Until a code that was sent there is entered, the number cannot replace a password.
    if isPhone { after.phoneChangedAt = now }
    try transaction.removeContactProposal(id, of: before.id)
    try transaction.take(proved, for: after, at: now)
    try transaction.update(after)
    try transaction.record(
      .accountChanged, about: before.id, detail: proposal.detail, by: caller, at: now)
    if provider?.vouches(for: proposal.value) == true {
      try transaction.prove([proposal.value], of: after, by: .provider, caller, at: now)
    }
    try contact.settle(before, after, keeping: own, by: caller, transaction)
  }
  world.messageRecorded()
}

/// Declines a proposal, so that its value is not proposed again.
public func declineContactProposal(
  _ id: String, _ access: Access, peer: String?, in world: World
) async throws(Refusal) {
  let now = world.clock.now()
  let (own, caller) = (access.session, access.caller(peer: peer))
  try await world.decide(about: [.account(own.account)]) {
    (transaction: any ContactProposal.Records & EventRecords) throws in
    guard let (found, account) = try transaction.proposal(id, for: own, at: now, in: world) else {
      throw Refusal.noSuchProposal
    }
    var proposal = found
    proposal.declinedAt = now
    try transaction.save(proposal)
    try transaction.record(
      .proposalDeclined, about: account.id, detail: proposal.detail, by: caller, at: now)
  }
}

extension ContactProposal {
  func entry(in world: World) -> AccountUpdate.Proposal {
    AccountUpdate.Proposal(
      id: id, channel: channel, value: value.text,
      provider: world.providers?.provider(provider)?.settings.label ?? provider)
  }

  /// The provider and the member, for the security log.
  fileprivate var detail: String {
    let member: ChangedMember = channel == .phone ? .phoneNumber : .email
    return provider + " " + member.rawValue
  }
}
