public import SignInModel
public import SignInWire

/// The data of a session that survives the end of the app.
///
/// `StoredSession` is its stored form.
public struct SessionRecord: Equatable, Sendable {
  /// The account of the session.
  ///
  /// The app requests it from the server once. Until then, a Swift app has the identifier of the ID
  /// token.
  public struct Person: Equatable, Sendable {
    public let id: AccountID
    public let name: String?
    /// The organization of the session with its name; `nil` until the server has sent it.
    public let organization: OrganizationEntry?

    init(id: AccountID, name: String?, organization: OrganizationEntry? = nil) {
      self.id = id
      self.name = name
      self.organization = organization
    }
  }

  public let accessToken: Secret
  public let accessExpiresAt: Instant
  public let refreshToken: Secret?
  public internal(set) var terms: TokenAnswer.SessionTerms
  public internal(set) var person: Person?
  /// The revocations of earlier sessions of this device.
  var revocations: PendingRevocations

  init(
    _ tokens: TokenAnswer, at now: Instant, person: Person? = nil,
    revocations: PendingRevocations = PendingRevocations()
  ) {
    accessToken = tokens.accessToken
    // In whole seconds, as in storage, so that a record read from storage is equal to this one.
    accessExpiresAt = Instant(seconds: now.adding(seconds: tokens.expiresIn).seconds)
    refreshToken = tokens.refreshToken
    terms = tokens.session
    self.person = person
    self.revocations = revocations
  }

  /// The token that revokes the session.
  var endingToken: Secret { refreshToken ?? accessToken }

  /// The revocation of this session, after those of earlier sessions.
  var ownRevocations: PendingRevocations {
    var all = revocations
    all.add(endingToken)
    return all
  }
}
