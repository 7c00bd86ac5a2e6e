public import Cryptography
import SignInModel
import SignInRules

/// The keys that lie outside the store.
///
/// Whoever copies the store alone can use none of it.
public struct Keyring: Sendable {
  public static let masterByteCount = 32

  /// Sign tokens and offline leases.
  public let signing: SigningKeys
  /// Seals text messages that wait in the outbox.
  public let outbox: SealingKey
  /// A hash without a known password, compared when an account does not exist.
  ///
  /// It is sealed, so that opening it takes as long as opening the hash of an account.
  let decoyPasswordHash: String
  static let decoyAccount = AccountID("decoy")
  /// What the store needs.
  public let store: StoreKeys
  let codes: [UInt8]
  let refreshTokens: [UInt8]
  let strangers: [UInt8]
  private let decoyPhones: [UInt8]
  let fingerprints: [UInt8]
  let throttles: [UInt8]
  let cursors: [UInt8]
  private let proofNonces: [UInt8]
  /// Tokens that keys of `signing` made, as far as they were seen since the start.
  let checkedTokens = CheckedTokens()
  let recentLeases = RecentLeases()

  /// The keys of a server that has never changed its signing key.
  public init(signing: SigningKey, master: [UInt8], decoyPasswordHash: String) {
    self.init(
      signing: SigningKeys([SigningKeys.Key(signing)]), master: master,
      decoyPasswordHash: decoyPasswordHash
    )
  }

  /// Derives every other secret from `master`, which has exactly `masterByteCount` random bytes;
  /// the decoy is made with the hashing parameters in force.
  public init(signing: SigningKeys, master: [UInt8], decoyPasswordHash: String) {
    precondition(master.count == Self.masterByteCount, "a master key has 32 bytes")
    self.signing = signing
    outbox = SealingKey(Self.derive("outbox", from: master))
    store = Self.storeKeys(master: master)
    self.decoyPasswordHash = store.sealed(decoyPasswordHash, for: Self.decoyAccount)
    codes = Self.derive("codes", from: master)
    refreshTokens = Self.derive("refresh tokens", from: master)
    strangers = Self.derive("strangers", from: master)
    decoyPhones = Self.derive("decoy phones", from: master)
    fingerprints = Self.derive("fingerprints", from: master)
    throttles = Self.derive("throttles", from: master)
    cursors = Self.derive("cursors", from: master)
    proofNonces = Self.derive("proof nonces", from: master)
  }

  /// What a command needs that opens the store and nothing else.
  public static func storeKeys(master: [UInt8]) -> StoreKeys {
    StoreKeys(
      events: EventKey(derive("events", from: master)),
      passwords: SealingKey(derive("passwords", from: master))
    )
  }

  private static func derive(_ purpose: String, from master: [UInt8]) -> [UInt8] {
    HMACSHA256.code(for: Array("fieldpass \(purpose) 1".utf8), key: master)
  }

  /// Binds a code to its account and purpose, so that equal codes look unrelated.
  func mac(
    of code: OneTimeCode, account: AccountID, for purpose: CodeChallenge.Purpose = .signIn
  ) -> [UInt8] {
    let text = "\(purpose.rawValue)|\(account.text)|\(code.revealed)"
    return HMACSHA256.code(for: Array(text.utf8), key: codes)
  }

  /// A number that belongs to nobody, the same one for the same identifier.
  ///
  /// Its country code is not assigned to any country, and nothing is ever sent to it.
  func decoyPhone(_ identifier: String) -> PhoneNumber {
    let bytes = HMACSHA256.code(for: Array(identifier.utf8), key: decoyPhones)
    var drawn: UInt64 = 0
    for byte in bytes.prefix(8) { drawn = drawn << 8 | UInt64(byte) }
    let digits = String(drawn % 10_000_000_000)
    let number = "+999" + String(repeating: "0", count: 10 - digits.utf8.count) + digits
    do throws(Malformed) { return try PhoneNumber(parsing: number) } catch {
      preconditionFailure("thirteen digits make a number")
    }
  }

  /// The name under which failures of an identifier that belongs to nobody are counted.
  func strangerKey(_ identifier: String) -> String {
    "?" + Base64URL.encode(HMACSHA256.code(for: Array(identifier.utf8), key: strangers))
  }

  /// The account that an identifier of nobody stands for.
  func stranger(_ identifier: String) -> AccountID { AccountID(strangerKey(identifier)) }

  /// Whether an identifier of nobody stands for this account: no account's own begins like that.
  static func isStranger(_ account: AccountID) -> Bool { account.text.hasPrefix("?") }

  /// The nonce that proofs of this stretch of time may carry.
  func proofNonce(window: Int64) -> String {
    let mac = HMACSHA256.code(for: Array("\(window)".utf8), key: proofNonces)
    return Base64URL.encode(Array(mac.prefix(16)))
  }

  /// The name under which something is counted: it tells neither number nor address.
  func throttleKey(_ rule: String, _ value: String) -> String {
    Base64URL.encode(HMACSHA256.code(for: Array("\(rule)|\(value)".utf8), key: throttles))
  }
}

extension PublicKey {
  /// The RFC 7638 thumbprint in its text form.
  public var thumbprint: String { Base64URL.encode(thumbprintDigest) }
}
