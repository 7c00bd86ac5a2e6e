import SignInModel
import SignInWire

/// Sessions that began at a provider of one organization.
///
/// The organization may control what its provider says. So if the account is also in others, the
/// session reads and changes nothing there.
extension World {
  /// The only organization in which this session may act; nil if it acts for the whole account.
  func limit(of session: Session, _ account: Account) -> OrganizationID? {
    limit(ofSignInAt: session.provider, account)
  }

  /// The limit of a session that begins at this provider; nil for secrets of this server.
  func limit(ofSignInAt provider: String?, _ account: Account) -> OrganizationID? {
    guard let provider, let owner = names.owners[provider],
      !account.isOnly(in: owner)
    else { return nil }
    return owner
  }

  /// Refuses what concerns the account in all its organizations, if the session is limited to one.
  func checkWholeAccount(_ session: Session, _ account: Account) throws(Refusal) {
    guard limit(of: session, account) == nil else { throw .limitedSession }
  }

  /// The organizations of the account that the session may name, also to an API.
  func organizations(of account: Account, in session: Session) -> [OrganizationID] {
    let limit = limit(of: session, account)
    return organizations(of: account).filter { limit == nil || $0 == limit }
  }

  /// How these sessions end if the reason is in a sign-in with this limit.
  func ending(_ sessions: [Session], within limit: OrganizationID?) -> SignOut {
    guard let limit else { return .sessions(sessions) }
    let own = names.owners.filter { $0.value == limit }
    return .limited(sessions, providers: own.keys.sorted())
  }

  /// What a sign-out within this limit ends.
  ///
  /// Without a limit it is `whole`, otherwise the open sessions in the organization, except `own`.
  func extent(
    _ whole: SignOut, of account: AccountID, within limit: OrganizationID?,
    except own: Session? = nil, _ transaction: any SessionRecords
  ) throws(StoreFault) -> SignOut {
    guard let limit else { return whole }
    let open = try transaction.openSessions(of: account)
    return ending(
      open.filter { $0.organization == limit && $0.id != own?.id }, within: limit)
  }

  /// Whether a session with this limit shows the identity.
  func shows(_ identity: Identity, within limit: OrganizationID?) -> Bool {
    limit == nil || names.owners[identity.provider] == limit
  }
}

extension AccountRecords {
  /// Whether the session acts for the account in all its organizations.
  func isWhole(_ session: Session, in world: World) throws(StoreFault) -> Bool {
    guard session.provider != nil else { return true }
    guard let account = try account(session.account) else { return false }
    return world.limit(of: session, account) == nil
  }
}

extension Account {
  /// Whether the account is in no organization but this one, and has no permission elsewhere.
  func isOnly(in organization: OrganizationID) -> Bool {
    organizations.allSatisfy { $0 == organization } && permission.isOnly(in: organization)
  }
}

extension Permission {
  func isOnly(in organization: OrganizationID) -> Bool {
    everywhere == nil && organizations.keys.allSatisfy { $0 == organization }
  }
}

extension Session {
  /// Whether a session with this limit shows this one, and may end it.
  func isShown(within limit: OrganizationID?) -> Bool { limit == nil || organization == limit }
}

extension Product {
  /// Whether a session with this limit shows the product, and may give it away.
  ///
  /// A product without an organization concerns the account in all of them.
  func isShown(within limit: OrganizationID?) -> Bool { limit == nil || organization == limit }
}

extension ProductRemoval {
  /// Whether a session with this limit learns that the product was removed.
  func isShown(within limit: OrganizationID?) -> Bool {
    limit == nil || key.organization == limit
  }
}
