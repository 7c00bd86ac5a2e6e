public import Cryptography
import SignInModel
import SignInRules

/// The keys that are not in the store.
///
/// A copy of the store alone is useless without them.
public struct Keyring: Sendable {
  public static let masterByteCount = 32

  /// The keys that sign tokens and offline leases.
  public let signing: SigningKeys
  /// Seals the messages in the outbox.
  public let outbox: SealingKey
  /// Seals registrations, and changes of an address or a number, that wait for a code.
  ///
  /// They are not stored.
  let registrations: SealingKey
  /// A hash without a known password.
  ///
  /// It is compared if an account does not exist.
  ///
  /// It is sealed, so that opening it takes as long as opening the hash of an account.
  let decoyPasswordHash: String
  static let decoyAccount = AccountID("decoy")
  /// The keys for the store.
  public let store: StoreKeys
  let codes: [UInt8]
  let refreshTokens: [UInt8]
  let unknownAccountKeys: [UInt8]
  private let unknownTexts: [UInt8]
  private let decoyPhones: [UInt8]
  let fingerprints: [UInt8]
  let throttles: [UInt8]
  let cursors: [UInt8]
  /// Seals positions that count what several organizations write.
  let listCursors: SealingKey
  private let proofNonces: [UInt8]
  private let journeys: [UInt8]
  /// Makes the digests of the configuration that servers compare.
  public let configurations: ConfigurationDigests
  /// A cache of tokens with valid signatures of keys in `signing`.
  let checkedTokens = VerifiedTokens()
  let recentLeases = RecentLeases()

  /// Creates the keys of a server with only one signing key.
  public init(signing: SigningKey, master: [UInt8], decoyPasswordHash: String) {
    self.init(
      signing: SigningKeys([SigningKeys.Key(signing)]), master: master,
      decoyPasswordHash: decoyPasswordHash
    )
  }

  /// Derives every other secret from `master`, which has exactly `masterByteCount` random bytes.
  ///
  /// The decoy hash must have the current hashing parameters.
  public init(signing: SigningKeys, master: [UInt8], decoyPasswordHash: String) {
    precondition(master.count == Self.masterByteCount, "a master key must have 32 bytes")
    self.signing = signing
    outbox = SealingKey(Self.derive("outbox", from: master))
    registrations = SealingKey(Self.derive("registrations", from: master))
    store = Self.storeKeys(master: master)
    self.decoyPasswordHash = store.sealed(decoyPasswordHash, for: Self.decoyAccount)
    codes = Self.derive("codes", from: master)
    refreshTokens = Self.derive("refresh tokens", from: master)
    unknownAccountKeys = Self.derive("unknown accounts", from: master)
    unknownTexts = Self.derive("unknown texts", from: master)
    decoyPhones = Self.derive("decoy phones", from: master)
    fingerprints = Self.derive("fingerprints", from: master)
    throttles = Self.derive("throttles", from: master)
    cursors = Self.derive("cursors", from: master)
    listCursors = SealingKey(Self.derive("list cursors", from: master))
    proofNonces = Self.derive("proof nonces", from: master)
    journeys = Self.derive("provider journeys", from: master)
    configurations = ConfigurationDigests(key: Self.derive("configurations", from: master))
  }

  /// The keys for a command that only opens the store.
  public static func storeKeys(master: [UInt8]) -> StoreKeys {
    StoreKeys(
      events: EventKey(derive("events", from: master)),
      passwords: SealingKey(derive("passwords", from: master)),
      signingKeys: SealingKey(derive("signing keys", from: master))
    )
  }

  private static func derive(_ purpose: String, from master: [UInt8]) -> [UInt8] {
    HMACSHA256.code(for: Array("fieldpass \(purpose) 1".utf8), key: master)
  }

  /// The keyed hash of a code.
  ///
  /// It includes the account and the purpose, so that equal codes have different hashes.
  func mac(
    of code: OneTimeCode, account: AccountID, for purpose: CodeChallenge.Purpose
  ) -> [UInt8] {
    let text = "\(purpose.rawValue)|\(account.text)|\(code.revealed)"
    return HMACSHA256.code(for: Array(text.utf8), key: codes)
  }

  /// The MAC of a text that a person entered.
  ///
  /// A text that is not a code counts as a wrong answer, because its empty MAC equals no other.
  func mac(
    ofTyped text: Secret, account: AccountID, for purpose: CodeChallenge.Purpose
  ) -> [UInt8] {
    do throws(Malformed) {
      return mac(of: try OneTimeCode(parsing: text.revealed), account: account, for: purpose)
    } catch {
      return []
    }
  }

  /// The handle of a journey at its provider, the same each time that its request is opened.
  func providerState(of journey: [UInt8]) -> Secret {
    Secret(Base64URL.encode(HMACSHA256.code(for: Array("state".utf8) + journey, key: journeys)))
  }

  /// The authorization code of a journey that ended at `moment`.
  ///
  /// It is derived, so that a repeated answer has the same code and the store has its digest only.
  func providerCode(of journey: [UInt8], endedAt moment: Instant) -> Secret {
    let bytes = HMACSHA256.code(for: Array("code".utf8) + journey, key: journeys)
    return Secret(Base64URL.encode(TimeOrderedHandle.date(of: moment) + bytes))
  }

  /// A phone number for an unknown identifier.
  ///
  /// It is always the same for the same identifier.
  ///
  /// Its country code is not assigned to any country, and no message is sent to it.
  func decoyPhone(_ identifier: String) -> PhoneNumber {
    let bytes = HMACSHA256.code(for: Array(identifier.utf8), key: decoyPhones)
    var drawn: UInt64 = 0
    for byte in bytes.prefix(8) { drawn = drawn << 8 | UInt64(byte) }
    let digits = String(drawn % 10_000_000_000)
    let number = "+999" + String(repeating: "0", count: 10 - digits.utf8.count) + digits
    do throws(Malformed) { return try PhoneNumber(stored: number) } catch {
      preconditionFailure("a phone number of thirteen digits must be valid")
    }
  }

  /// The role that an unknown identifier seems to have.
  ///
  /// It is always the same for the same identifier.
  func decoyRole(_ identifier: UnknownIdentifier) -> AccountRole {
    let bytes = HMACSHA256.code(for: Array("role \(identifier.text)".utf8), key: decoyPhones)
    return AccountRole.allCases[Int(bytes[0]) % AccountRole.allCases.count]
  }

  /// The placeholder account under which the failures of an unknown identifier are counted.
  ///
  /// Any text can be typed, also one that looks like the identifier of a phone number. So typed
  /// texts have a key of their own. An e-mail address always has an `@` and no space, and the other
  /// identifiers begin in different ways and have a space, so these share a key.
  func unknownAccount(_ identifier: UnknownIdentifier) -> AccountID {
    let key =
      switch identifier {
      case .email, .phone, .registration, .contactChange: unknownAccountKeys
      case .text: unknownTexts
      }
    let code = HMACSHA256.code(for: Array(identifier.text.utf8), key: key)
    return AccountID("?" + Base64URL.encode(code))
  }

  /// Whether an account is such a placeholder.
  ///
  /// The identifier of a real account never begins like this.
  static func isUnknownAccount(_ account: AccountID) -> Bool { account.text.hasPrefix("?") }

  /// The nonce that proofs in this time window may have.
  func proofNonce(window: Int64) -> String {
    let mac = HMACSHA256.code(for: Array("\(window)".utf8), key: proofNonces)
    return Base64URL.encode(Array(mac.prefix(16)))
  }

  func throttleKey(_ kind: ThrottleKind, _ rule: String, _ value: String) -> ThrottleKey {
    ThrottleKey(kind, digest: HMACSHA256.code(for: Array("\(rule)|\(value)".utf8), key: throttles))
  }
}

extension PublicKey {
  /// The RFC 7638 thumbprint in its text form.
  public var thumbprint: String { Base64URL.encode(thumbprintDigest) }
}
