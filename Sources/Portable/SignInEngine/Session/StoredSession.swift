package import JSONText
package import SignInModel
import SignInWire

/// What this device stores of a session.
///
/// Only this type reads and writes the stored text.
enum StoredSession: Equatable, Sendable {
  case none
  case session(SessionRecord)
  /// The person signed out, and the server has not confirmed it.
  case signedOut(PendingRevocations)
  /// Only the device's owner can unlock the key of the session.
  case sealed(AppLock.LockedContent)
  /// Storage cannot be read now.
  case unavailable
  /// A later version of the app wrote the text. It is intact, but this version cannot read it.
  case ofLaterVersion
  /// There is a text, but it can never be read again (S-08).
  case damaged

  init(_ reading: StorageReading) {
    switch reading {
    case .absent: self = .none
    case .value(let text): self.init(text: text)
    case .temporarilyUnreadable: self = .unavailable
    case .damaged: self = .damaged
    case .locked(let card): self = .sealed(AppLock.LockedContent(text: card.revealed))
    }
  }

  init(text: Secret) {
    guard let json = JSON(storedText: text), let version = json.count("version") else {
      self = .damaged
      return
    }
    if let record = SessionRecord(json: json) {
      self = .session(record)
    } else if let revocations = PendingRevocations(json: json) {
      self = .signedOut(revocations)
    } else {
      self = version > SessionRecord.version ? .ofLaterVersion : .damaged
    }
  }

  /// The text to store; `nil` if there is no text, or if it is not known.
  var text: Secret? {
    switch self {
    case .session(let record): Self.text(of: record)
    case .signedOut(let revocations): Secret(revocations.json)
    case .none, .sealed, .unavailable, .ofLaterVersion, .damaged: nil
    }
  }

  static func text(of record: SessionRecord) -> Secret { Secret(record.json) }

  // MARK: Writing

  /// Stores this in place of `self`, unless storage contains something else by then.
  func replaced(by new: StoredSession) -> Effect {
    guard let old = text else { preconditionFailure("Only a known text can be replaced.") }
    guard let new = new.text else { return .eraseSessionIfUnchanged(old) }
    return .replaceSession(old, with: new)
  }

  /// Stores this, and replaces any other content of storage.
  var saving: Effect {
    switch self {
    case .session(let record): .saveSession(Self.text(of: record))
    case .signedOut(let revocations): .savePendingRevocation(Secret(revocations.json))
    case .none, .sealed, .unavailable, .ofLaterVersion, .damaged: .eraseSession
    }
  }
}

extension JSON {
  /// Reads a text that this device stored; `nil` if it is damaged.
  package init?(storedText text: Secret) {
    do throws(JSONMalformed) { self = try JSONReader.read([UInt8](text.revealed.utf8)) } catch {
      return nil
    }
  }
}

extension Secret {
  /// The text of the JSON value.
  @inline(never) package init(_ json: JSON) {
    self.init(String(decoding: json.utf8, as: UTF8.self))
  }
}

// MARK: - The stored text

extension PendingRevocations {
  static let version: Int64 = 1

  /// `nil` if the text is damaged, or contains something else.
  fileprivate init?(json: JSON) {
    // A session can contain pending revocations too.
    guard json.count("version") == Self.version, json["session"] == nil else { return nil }
    var tokens = Self.earlierTokens(in: json)
    if let token = json.text("revoke") { tokens.append(Secret(token)) }
    self.init(tokens, unreadableSession: Self.unreadableSession(in: json))
    if isEmpty { return nil }
  }

  fileprivate var json: JSON {
    .members([
      JSONMember("version", Self.version),
      JSONMember("revoke", ifPresent: tokens.last?.revealed),
      JSONMember("left_behind", ifPresent: unreadableSession?.text),
      Self.member(earlierTokens: tokens.dropLast()),
    ])
  }

  fileprivate static func unreadableSession(in json: JSON) -> SessionID? {
    json.text("left_behind").map { SessionID($0) }
  }

  fileprivate static func earlierTokens(in json: JSON) -> [Secret] {
    var earlierTokens: [Secret] = []
    for element in json.elements("owed") ?? [] {
      if let token = element.text { earlierTokens.append(Secret(token)) }
    }
    return earlierTokens
  }

  fileprivate static func member(earlierTokens: [Secret]) -> JSONMember? {
    earlierTokens.isEmpty
      ? nil : JSONMember("owed", .array(earlierTokens.map { .string($0.revealed) }))
  }
}

extension SessionRecord {
  /// A later version that changes the meaning of a member increases this number, and still reads
  /// older records.
  ///
  /// Version 2 contains the account, so that the app can show its name without a network. The name
  /// is absent until the server has sent it. A record of version 1 is read without an account
  /// (L-26).
  static let version: Int64 = 2

  /// `nil` if the text is damaged, is no session, or was written by a later version.
  fileprivate init?(json: JSON) {
    guard let version = json.count("version"), version >= 1, version <= Self.version,
      let accessToken = json.text("access_token"),
      let accessExpiresAt = json.unixSeconds("access_expires_at"),
      let terms = TokenAnswer.SessionTerms(json: json["session"])
    else { return nil }
    self.accessToken = Secret(accessToken)
    self.accessExpiresAt = Instant(seconds: accessExpiresAt)
    refreshToken = json.text("refresh_token").map { Secret($0) }
    self.terms = terms
    if let id = json["account"]?.text("id") {
      person = Person(
        id: AccountID(id), name: json["account"]?.text("name"),
        organization: json["account"]?["organization"].flatMap { OrganizationEntry(json: $0) })
    }
    revocations = PendingRevocations(
      PendingRevocations.earlierTokens(in: json),
      unreadableSession: PendingRevocations.unreadableSession(in: json))
  }

  fileprivate var json: JSON {
    .members([
      JSONMember("version", Self.version),
      JSONMember("access_token", accessToken.revealed),
      JSONMember("access_expires_at", accessExpiresAt.seconds),
      JSONMember("refresh_token", ifPresent: refreshToken?.revealed),
      JSONMember("session", terms.json),
      person.map {
        JSONMember(
          "account",
          .members([
            JSONMember("id", $0.id.text), JSONMember("name", ifPresent: $0.name),
            $0.organization.map { JSONMember("organization", $0.json) },
          ]))
      },
      JSONMember("left_behind", ifPresent: revocations.unreadableSession?.text),
      PendingRevocations.member(earlierTokens: revocations.tokens),
    ])
  }
}
