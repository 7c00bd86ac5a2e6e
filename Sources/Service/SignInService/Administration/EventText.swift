import Cryptography
public import SignInModel
import SignInWire

/// A text that an administrator wrote about an account, such as a reason.
///
/// An event of the security log has only a digest of the text. So the text can be erased, and the
/// log is still verified. The salt is erased with it, so the digest does not reveal a short text.
public struct EventText: Equatable, Sendable {
  static let saltByteCount = 16
  /// Begins the last word of the detail of an event with a note.
  private static let mark = "#"

  public let account: AccountID
  public let salt: [UInt8]
  public let text: String
  public let writtenAt: Instant

  public init(account: AccountID, salt: [UInt8], text: String, writtenAt: Instant) {
    self.account = account
    self.salt = salt
    self.text = text
    self.writtenAt = writtenAt
  }

  /// Identifies the note in an event and in the store.
  public var reference: String {
    Self.mark + Base64URL.encode(SHA256Digest.of(salt + Array(text.utf8)))
  }

  /// The reference in the detail of an event, and the words before it; nil if it has none.
  fileprivate static func reference(in detail: String) -> (before: String, reference: String)? {
    guard let (before, last) = detail.cut(at: " "), last.utf8.first == mark.utf8.first,
      last.utf8.count == mark.utf8.count + Base64URL.encode(SHA256Digest.of("")).utf8.count
    else { return nil }
    return (before, last)
  }
}

extension EventRecords {
  /// The event as people read it: its detail has the text of its note, if the text was not erased.
  func withNote(_ event: SecurityEvent) throws(StoreFault) -> SecurityEvent {
    guard let detail = event.detail, let (before, reference) = EventText.reference(in: detail)
    else { return event }
    let note = try eventNote(reference)
    // A text that does not have the digest was not written by this server.
    let text = note?.reference == reference ? note?.text : nil
    return event.with(detail: text.map { before + " " + $0 } ?? before)
  }
}

extension SecurityEvent {
  fileprivate func with(detail: String) -> SecurityEvent {
    SecurityEvent(
      sequence: sequence, at: at, code: code, account: account, client: client, session: session,
      peer: peer, proofKeyThumbprint: proofKeyThumbprint, detail: detail, count: count,
      keyID: keyID, hash: hash)
  }
}
