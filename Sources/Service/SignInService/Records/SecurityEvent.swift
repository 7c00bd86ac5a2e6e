import Cryptography
public import JSONText
public import SignInModel

/// One line of the security log: what was decided, about whom, for whom and from where.
///
/// It never holds a secret, nor anything a stranger typed. Its hash rests on the event before it:
/// whoever changes or removes one breaks the chain there.
public struct SecurityEvent: Equatable, Sendable {
  /// What happened, as a stable dotted word in the past tense.
  ///
  /// The set is open: a log that a newer program wrote must still be readable.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    init(_ text: String) { rawValue = text }
  }

  /// Its place in the log: the first is 1, and none is left out.
  public let sequence: Int64
  public let at: Instant
  public let code: Code
  /// Nil when it concerns an identifier that belongs to nobody.
  public let account: AccountID?
  public let client: ClientID?
  public let session: SessionID?
  /// The network address it came from, without a port; nil when no network was between.
  public let peer: String?
  /// RFC 7638 thumbprint of the key the device proved.
  public let proofKeyThumbprint: String?
  /// A stable word that tells more, such as why a session ended.
  public let detail: String?
  /// How many equal refusals it reports; nil for one.
  public let count: Int64?
  /// Names the key of its hash; nil for an event from before the log had a key.
  public let keyID: String?
  /// HMAC-SHA-256, or without a key SHA-256, of the hash before and this event's canonical JSON.
  public let hash: [UInt8]

  /// Restores an event that a store kept.
  public init(
    sequence: Int64, at: Instant, code: Code, account: AccountID?, client: ClientID?,
    session: SessionID?, peer: String?, proofKeyThumbprint: String?, detail: String?,
    count: Int64? = nil, keyID: String? = nil, hash: [UInt8]
  ) {
    self.sequence = sequence
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
    self.hash = hash
  }
}

extension SecurityEvent {
  /// What the first event's hash rests on.
  public static let firstLink = [UInt8](repeating: 0, count: SHA256Digest.byteCount)

  /// The form that is hashed, and listed: members in this order, absent ones left out.
  public var json: JSON {
    .members([
      JSONMember("sequence", sequence),
      JSONMember("at", at.milliseconds),
      JSONMember("code", code.rawValue),
      JSONMember("account", ifPresent: account?.text),
      JSONMember("client", ifPresent: client?.text),
      JSONMember("session", ifPresent: session?.text),
      JSONMember("peer", ifPresent: peer),
      JSONMember("proof_key", ifPresent: proofKeyThumbprint),
      JSONMember("detail", ifPresent: detail),
      JSONMember("count", ifPresent: count),
      JSONMember("key", ifPresent: keyID),
    ])
  }

  /// What this event's hash must be when it follows an event with the hash `previous`; nil when it
  /// is linked with another key.
  public func hash(after previous: [UInt8], key: EventKey? = nil) -> [UInt8]? {
    let text = previous + json.utf8
    guard let keyID else { return SHA256Digest.of(text) }
    return key?.id == keyID ? key?.code(for: text) : nil
  }
}
