import Cryptography
import JSONText
public import SignInModel
import SignInWire

/// What an event of the security log says, without its place in the log.
public struct EventContent: Equatable, Sendable {
  public let at: Instant
  public let code: SecurityEvent.Code
  public let account: AccountID?
  public let client: ClientID?
  public let session: SessionID?
  public let peer: String?
  public let proofKeyThumbprint: String?
  public let detail: String?
  public let count: Int64?
  /// Identifies the key of the server that wrote the event; nil if it had none.
  public let keyID: String?

  /// Restores the content from a store.
  ///
  /// The properties are those of `SecurityEvent`.
  public init(
    at: Instant, code: SecurityEvent.Code, account: AccountID?, client: ClientID?,
    session: SessionID?, peer: String?, proofKeyThumbprint: String?, detail: String?,
    count: Int64?, keyID: String?
  ) {
    self.at = at
    self.code = code
    self.account = account
    self.client = client
    self.session = session
    self.peer = peer
    self.proofKeyThumbprint = proofKeyThumbprint
    self.detail = detail
    self.count = count
    self.keyID = keyID
  }

  init(_ draft: EventDraft, by caller: Caller, at now: Instant, key: EventKey?) {
    self.init(
      at: now, code: draft.code, account: draft.account, client: caller.client,
      session: draft.session, peer: caller.peer, proofKeyThumbprint: caller.proofKeyThumbprint,
      detail: draft.detail, count: draft.count, keyID: key?.id)
  }

  /// The members of the event after its number.
  var members: [JSONMember?] {
    [
      JSONMember(.at, at.milliseconds),
      JSONMember(.code, code.rawValue),
      JSONMember(.account, ifPresent: account?.text),
      JSONMember(.client, ifPresent: client?.text),
      JSONMember(.session, ifPresent: session?.text),
      JSONMember(.peer, ifPresent: peer),
      JSONMember(.proofKey, ifPresent: proofKeyThumbprint),
      JSONMember(.detail, ifPresent: detail),
      JSONMember(.count, ifPresent: count),
      JSONMember(.key, ifPresent: keyID),
    ]
  }

  /// The code that shows that a server with this key wrote the event.
  ///
  /// It is HMAC-SHA-256; without a key SHA-256, which shows only that nothing was damaged.
  ///
  /// - Returns: Nil if the event names another key.
  func writerCode(_ key: EventKey?) -> [UInt8]? {
    guard keyID == key?.id else { return nil }
    let text = JSON.members(members).utf8
    return key?.writerCode(for: text) ?? SHA256Digest.of(text)
  }
}

/// An event that a decision wrote, and that is not linked to the event before it yet.
public struct UnlinkedEvent: Equatable, Sendable {
  /// The store numbers the events in the order in which they were written.
  ///
  /// A decision with a smaller number can become durable after one with a greater number. The
  /// decisions about one subject become durable in the order of their numbers.
  public let id: Int64
  public let content: EventContent
  /// Shows that a server with the key of the log wrote the event.
  public let writerCode: [UInt8]

  /// Restores an event from a store.
  public init(id: Int64, content: EventContent, writerCode: [UInt8]) {
    self.id = id
    self.content = content
    self.writerCode = writerCode
  }

  /// The content, if a server with this key wrote it and it is unchanged.
  func verified(_ key: EventKey?) -> EventContent? {
    guard let code = content.writerCode(key), ConstantTime.equal(writerCode, code) else {
      return nil
    }
    return content
  }
}
