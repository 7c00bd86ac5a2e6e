import Cryptography
public import SignInModel

/// The key that links the events of the security log.
///
/// It is stored outside the database, so that write access to the database is not enough to forge
/// an event.
public struct EventKey: Sendable {
  /// Identifies the key in each event that it links.
  ///
  /// It reveals nothing about the key.
  public let id: String
  private let bytes: [UInt8]
  /// A key of its own for unlinked events, so that the code of one is never a hash of the log.
  private let writerBytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    writerBytes = HMACSHA256.code(for: Array("unlinked events".utf8), key: bytes)
    let code = HMACSHA256.code(for: Array("event key identifier".utf8), key: bytes)
    id = Base64URL.encode(Array(code.prefix(6)))
  }

  func code(for text: [UInt8]) -> [UInt8] { HMACSHA256.code(for: text, key: bytes) }

  func writerCode(for text: [UInt8]) -> [UInt8] { HMACSHA256.code(for: text, key: writerBytes) }
}

/// The keys that a store uses itself.
public struct StoreKeys: Sendable {
  public let events: EventKey
  private let passwords: SealingKey
  private let signingKeys: SealingKey
  private static let prefix = "s1"
  private static let end = UInt8(ascii: ":")

  init(events: EventKey, passwords: SealingKey, signingKeys: SealingKey) {
    self.events = events
    self.passwords = passwords
    self.signingKeys = signingKeys
  }

  /// Seals a signing key for storage under its identifier and its end.
  func sealed(_ key: SigningKeys.Key) -> SealedSigningKey {
    SealedSigningKey(
      id: key.id,
      sealed: signingKeys.seal(
        Array(key.signing.pem.utf8), context: Self.context(key.id, key.signsUntil)),
      signsUntil: key.signsUntil)
  }

  /// Opens a stored signing key.
  ///
  /// - Returns: Nil if it was sealed with another key, or for another identifier or end.
  func opened(_ key: SealedSigningKey) -> SigningKeys.Key? {
    let context = Self.context(key.id, key.signsUntil)
    guard let pem = signingKeys.open(key.sealed, context: context) else { return nil }
    do throws(KeyFault) {
      let signing = try SigningKey(pem: String(decoding: pem, as: UTF8.self))
      guard signing.publicKey.thumbprint == key.id else { return nil }
      return SigningKeys.Key(signing, signsUntil: key.signsUntil)
    } catch {
      return nil
    }
  }

  private static func context(_ id: String, _ signsUntil: Instant?) -> String {
    "signing key|\(id)|" + (signsUntil.map { String($0.milliseconds) } ?? "")
  }

  /// Whether a stored text is sealed already.
  private static func isSealed(_ text: String) -> Bool { sealedStart(of: text) != nil }

  /// The position after the prefix, the kind of an imported hash, and a colon.
  ///
  /// The sealed bytes begin there.
  private static func sealedStart(of text: String) -> String.Index? {
    guard text.utf8.starts(with: prefix.utf8), let colon = text.utf8.firstIndex(of: end) else {
      return nil
    }
    let kind = text[..<colon].dropFirst(prefix.count)
    return PasswordHashKind(word: String(kind)) == nil ? nil : text.utf8.index(after: colon)
  }

  /// Seals the hash of a password for storage.
  ///
  /// Without the key the result is useless, and it works for this account only.
  public func sealed(_ hash: String, for account: AccountID) -> String {
    if Self.isSealed(hash) { return hash }
    let bytes = passwords.seal(Array(hash.utf8), context: Self.context(account))
    // The kind is readable, so that a store can find out whether any account has a hash of this
    // kind.
    let kind = PasswordHashKind(of: hash)?.word ?? ""
    return Self.prefix + kind + ":" + Base64URL.encode(bytes)
  }

  /// Opens a stored text and returns the hash.
  ///
  /// A text that was never sealed is the hash itself. A text that was sealed with another key or
  /// for another account is returned unchanged. It matches no password, and storing it again loses
  /// nothing.
  public func opened(_ text: String, for account: AccountID) -> String {
    guard let start = Self.sealedStart(of: text) else { return text }
    do throws(Malformed) {
      let sealed = try Base64URL.decode(Array(text.utf8[start...])[...])
      let bytes = passwords.open(sealed, context: Self.context(account))
      return bytes.map { String(decoding: $0, as: UTF8.self) } ?? text
    } catch {
      return text
    }
  }

  private static func context(_ account: AccountID) -> String { "password|\(account.text)" }
}
