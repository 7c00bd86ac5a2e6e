import JSONText
public import SignInModel
public import SignInWire

/// What survives the closing of the app, as the sealed text storage keeps.
///
/// Version 2 knows whose session it is, so that an app with no network can say so. A version 1 is
/// read as one that does not know yet.
public struct SessionRecord: Equatable, Sendable {
  /// A later version that changes the meaning of a member raises this and still reads older ones.
  static let version: Int64 = 2

  /// Whose session this is; asked of the server once.
  public struct Person: Equatable, Sendable {
    public let id: AccountID
    public let name: String
  }

  public let accessToken: Secret
  public let accessExpiresAt: Instant
  public let refreshToken: Secret?
  public internal(set) var terms: TokenAnswer.SessionTerms
  public internal(set) var person: Person?
  /// A session this device has left without being able to give up its token, to be ended by the
  /// same person in this one.
  var leftBehind: SessionID?
  /// The tokens of sessions that were signed out of before, until the server was told.
  var owed: [Secret] = []

  init(
    _ tokens: TokenAnswer, at now: Instant, person: Person? = nil, leftBehind: SessionID? = nil,
    owed: [Secret] = []
  ) {
    accessToken = tokens.accessToken
    // In whole seconds, as it is kept: what comes back from storage is the same record.
    accessExpiresAt = Instant(seconds: now.adding(seconds: tokens.expiresIn).seconds)
    refreshToken = tokens.refreshToken
    terms = tokens.session
    self.person = person
    self.leftBehind = leftBehind
    self.owed = owed
  }

  /// Nil when the text is damaged or was written by a later version.
  init?(text: String) {
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
    leftBehind = json["left_behind"]?.text.map { SessionID($0) }
    owed = Farewell.owed(in: json)
  }

  /// Whether a later version of the app wrote the text: it is whole, and not for this version.
  static func isOfLaterVersion(_ text: String) -> Bool {
    guard let written = parse(text)?["version"]?.count else { return false }
    return written > version
  }

  /// What the session is given up by.
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
      JSONMember("left_behind", ifPresent: leftBehind?.text),
      Farewell.member(owed: owed),
    ])
    return Secret(String(decoding: json.utf8, as: UTF8.self))
  }

  static func parse(_ text: String) -> JSON? {
    do throws(JSONMalformed) { return try JSONReader.read([UInt8](text.utf8)) } catch {
      return nil
    }
  }
}
