import Cryptography
public import JSONText
public import SignInModel
import SignInWire

/// One event of the security log: a decision, its account, its client and its origin.
///
/// It never contains a secret, nor text from an unverified sender. Its hash depends on the event
/// before it, so a change or a removal of an event breaks the chain there.
public struct SecurityEvent: Equatable, Sendable {
  /// What happened, as a stable dotted word in the past tense.
  ///
  /// The set is open, because a log that a newer program wrote must still be readable.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    init(_ text: String) { rawValue = text }
  }

  /// The position in the log.
  ///
  /// The first position is 1, and there are no gaps.
  public let sequence: Int64
  public let at: Instant
  public let code: Code
  /// Nil if the event is about an identifier without an account.
  public let account: AccountID?
  public let client: ClientID?
  public let session: SessionID?
  /// The network address of the sender without its port; nil for a call that did not use a network.
  public let peer: String?
  /// The RFC 7638 thumbprint of the key that the device proved.
  public let proofKeyThumbprint: String?
  /// A stable word with more information, such as the reason why a session ended.
  public let detail: String?
  /// The number of equal refusals or of renewals that the event reports; nil for one.
  public let count: Int64?
  /// Identifies the key of its hash; nil for an event from before the log had a key.
  public let keyID: String?
  /// The HMAC-SHA-256 of the hash before and this event's canonical JSON; without a key the
  /// SHA-256.
  public let hash: [UInt8]

  /// Restores an event from a store.
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
  /// The previous hash of the first event.
  public static let firstLink = [UInt8](repeating: 0, count: SHA256Digest.byteCount)

  /// Creates an event from its content.
  init(sequence: Int64, _ content: EventContent, hash: [UInt8]) {
    self.init(
      sequence: sequence, at: content.at, code: content.code, account: content.account,
      client: content.client, session: content.session, peer: content.peer,
      proofKeyThumbprint: content.proofKeyThumbprint, detail: content.detail,
      count: content.count, keyID: content.keyID, hash: hash)
  }

  /// What the event says.
  public var content: EventContent {
    EventContent(
      at: at, code: code, account: account, client: client, session: session, peer: peer,
      proofKeyThumbprint: proofKeyThumbprint, detail: detail, count: count, keyID: keyID)
  }

  /// The form that is hashed and listed.
  ///
  /// The members are in this order, and absent ones are left out.
  public var json: JSON { .members([JSONMember(.sequence, sequence)] + content.members) }

  /// The hash that this event must have after an event with the hash `previous`.
  ///
  /// - Returns: Nil if the event is linked with another key.
  public func hash(after previous: [UInt8], key: EventKey? = nil) -> [UInt8]? {
    let text = previous + json.utf8
    guard let keyID else { return SHA256Digest.of(text) }
    return key?.id == keyID ? key?.code(for: text) : nil
  }
}
