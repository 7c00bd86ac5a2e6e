import JSONText
public import SignInModel
public import SignInWire

/// The data of a session that survives the end of the app, as the text that storage seals.
///
/// Version 2 contains the account's name, so that the app can show it without a network. A record
/// of version 1 is read without a name (L-26).
public struct SessionRecord: Equatable, Sendable {
  /// A later version that changes the meaning of a member increases this number, and still reads
  /// older records.
  static let version: Int64 = 2

  /// The account of the session.
  ///
  /// The app requests it from the server once.
  public struct Person: Equatable, Sendable {
    public let id: AccountID
    public let name: String
  }

  public let accessToken: Secret
  public let accessExpiresAt: Instant
  public let refreshToken: Secret?
  public internal(set) var terms: TokenAnswer.SessionTerms
  public internal(set) var person: Person?
  /// A session that this device ended without revoking it, because its token cannot be read.
  ///
  /// The same person ends it while signed in with this session.
  var unreadableSession: SessionID?
  /// The tokens of earlier sessions that were signed out, until the server confirms their
  /// revocation.
  var earlierTokens: [Secret] = []

  init(
    _ tokens: TokenAnswer, at now: Instant, person: Person? = nil,
    unreadableSession: SessionID? = nil,
    earlierTokens: [Secret] = []
  ) {
    accessToken = tokens.accessToken
    // In whole seconds, as in storage, so that a record read from storage is equal to this one.
    accessExpiresAt = Instant(seconds: now.adding(seconds: tokens.expiresIn).seconds)
    refreshToken = tokens.refreshToken
    terms = tokens.session
    self.person = person
    self.unreadableSession = unreadableSession
    self.earlierTokens = earlierTokens
  }

  /// `nil` if the text is damaged or if a later version wrote it.
  init?(text: Secret) {
    guard let json = Self.parse(text), let version = json["version"]?.count,
      version >= 1, version <= Self.version, let accessToken = json["access_token"]?.text,
      let accessExpiresAt = json["access_expires_at"]?.unixSeconds,
      let terms = TokenAnswer.SessionTerms(json: json["session"])
    else { return nil }
    self.accessToken = Secret(accessToken)
    self.accessExpiresAt = Instant(seconds: accessExpiresAt)
    refreshToken = json["refresh_token"]?.text.map { Secret($0) }
    self.terms = terms
    if let id = json["account"]?["id"]?.text, let name = json["account"]?["name"]?.text {
      person = Person(id: AccountID(id), name: name)
    }
    unreadableSession = json["left_behind"]?.text.map { SessionID($0) }
    earlierTokens = PendingRevocation.earlierTokens(in: json)
  }

  /// Whether a later version of the app wrote the text.
  ///
  /// Such a text is intact, but this version cannot read it.
  static func isOfLaterVersion(_ text: Secret) -> Bool {
    guard let written = parse(text)?["version"]?.count else { return false }
    return written > version
  }

  /// The token that revokes the session.
  var endingToken: Secret { refreshToken ?? accessToken }

  var text: Secret {
    let json = JSON.members([
      JSONMember("version", Self.version),
      JSONMember("access_token", accessToken.revealed),
      JSONMember("access_expires_at", accessExpiresAt.seconds),
      JSONMember("refresh_token", ifPresent: refreshToken?.revealed),
      JSONMember("session", terms.json),
      person.map {
        JSONMember(
          "account", .members([JSONMember("id", $0.id.text), JSONMember("name", $0.name)]))
      },
      JSONMember("left_behind", ifPresent: unreadableSession?.text),
      PendingRevocation.member(earlierTokens: earlierTokens),
    ])
    return Secret(String(decoding: json.utf8, as: UTF8.self))
  }

  static func parse(_ text: Secret) -> JSON? {
    do throws(JSONMalformed) { return try JSONReader.read([UInt8](text.revealed.utf8)) } catch {
      return nil
    }
  }
}
