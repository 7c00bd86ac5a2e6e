import Cryptography
public import SignInModel

/// The key that links the events of the security log.
///
/// It lies outside the store, so that writing the database is not enough to forge an event.
public struct EventKey: Sendable {
  /// Names the key in each event that it links; it tells nothing of the key.
  public let id: String
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let code = HMACSHA256.code(for: Array("event key identifier".utf8), key: bytes)
    id = Base64URL.encode(Array(code.prefix(6)))
  }

  func code(for text: [UInt8]) -> [UInt8] { HMACSHA256.code(for: text, key: bytes) }
}

/// The keys that a store uses itself.
public struct StoreKeys: Sendable {
  public let events: EventKey
  private let passwords: SealingKey
  private static let prefix = "s1"
  private static let end = UInt8(ascii: ":")

  init(events: EventKey, passwords: SealingKey) {
    self.events = events
    self.passwords = passwords
  }

  /// Whether a stored text is sealed already.
  public static func isSealed(_ text: String) -> Bool { sealedStart(of: text) != nil }

  /// Where the sealed bytes begin: behind the prefix, the kind of an imported hash, and a colon.
  private static func sealedStart(of text: String) -> String.Index? {
    guard text.utf8.starts(with: prefix.utf8), let colon = text.utf8.firstIndex(of: end) else {
      return nil
    }
    let kind = text[..<colon].dropFirst(prefix.count)
    return PasswordHashKind(word: String(kind)) == nil ? nil : text.utf8.index(after: colon)
  }

  /// The hash of a password as a store keeps it: of no use without the key, nor to another account.
  public func sealed(_ hash: String, for account: AccountID) -> String {
    if Self.isSealed(hash) { return hash }
    let bytes = passwords.seal(Array(hash.utf8), context: Self.context(account))
    // The kind is readable, so that a store finds out whether there are hashes of it.
    let kind = PasswordHashKind(of: hash)?.word ?? ""
    return Self.prefix + kind + ":" + Base64URL.encode(bytes)
  }

  /// The hash behind a stored text.
  ///
  /// A text that was never sealed is a hash itself. One that this key did not seal for this account
  /// is given back as it is: it matches no password, and nothing is lost when it is stored again.
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
