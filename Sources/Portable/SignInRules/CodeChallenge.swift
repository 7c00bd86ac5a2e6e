public import SignInModel

/// The one live code of an account for one purpose, and when another may be sent.
///
///     live ──right answer──▶ consumed
///       ├──300.0 s pass────▶ expired
///       └──another is sent─▶ superseded (another identifier takes its place)
public struct CodeChallenge: Equatable, Sendable {
  public struct Policy: Equatable, Sendable {
    public var digits: Int64 = 6
    /// A code lives this long, to the second (BR-AUTH-002, T-12).
    public var lifeSeconds: Int64 = 300
    /// Between two messages to one account (T-08, R-05).
    public var resendSeconds: Int64 = 60

    public init() {}
  }

  /// What a right answer allows; one code is live for each purpose.
  public enum Purpose: String, CaseIterable, Sendable {
    case signIn = "sign_in"
    case passwordReset = "password_reset"
  }

  /// Distinguishes this code from the ones it superseded.
  public let id: String
  public let account: AccountID
  public let purpose: Purpose
  public let client: ClientID
  /// RFC 7638 thumbprint of the proof key of the device that may answer.
  public let proofKeyThumbprint: String
  /// HMAC of the code under a key that lies outside the store; the code itself is kept nowhere.
  public let mac: [UInt8]
  /// The same of codes this one took the place of, so that a late older code is told apart.
  public let supersededMACs: [[UInt8]]
  public let digits: Int64
  public let expiresAt: Instant
  /// When another message may be sent to this account.
  public let resendAt: Instant
  public let isConsumed: Bool

  public init(
    id: String, account: AccountID, client: ClientID, proofKeyThumbprint: String, mac: [UInt8],
    supersededMACs: [[UInt8]], digits: Int64, expiresAt: Instant, resendAt: Instant,
    isConsumed: Bool, purpose: Purpose = .signIn
  ) {
    self.id = id
    self.account = account
    self.purpose = purpose
    self.client = client
    self.proofKeyThumbprint = proofKeyThumbprint
    self.mac = mac
    self.supersededMACs = supersededMACs
    self.digits = digits
    self.expiresAt = expiresAt
    self.resendAt = resendAt
    self.isConsumed = isConsumed
  }

  /// How many older codes are remembered: more resends than fit into the life of the first.
  public static let supersededLimit = 8

  /// A code that was sent just now, taking the place of `earlier`.
  public static func sent(
    id: String, account: AccountID, client: ClientID, proofKeyThumbprint: String, mac: [UInt8],
    inPlaceOf earlier: CodeChallenge?, at now: Instant, under policy: Policy,
    purpose: Purpose = .signIn
  ) -> CodeChallenge {
    var superseded: [[UInt8]] = []
    if let earlier, now < earlier.expiresAt, !earlier.isConsumed {
      superseded = [earlier.mac] + earlier.supersededMACs.prefix(supersededLimit - 1)
    }
    return CodeChallenge(
      id: id, account: account, client: client, proofKeyThumbprint: proofKeyThumbprint, mac: mac,
      supersededMACs: superseded, digits: policy.digits,
      expiresAt: now.adding(seconds: policy.lifeSeconds),
      resendAt: now.adding(seconds: policy.resendSeconds), isConsumed: false, purpose: purpose
    )
  }

  /// Whether an answer may still be compared with this code: false at 300.0 s exactly.
  public func isLive(at now: Instant) -> Bool { !isConsumed && now < expiresAt }

  /// Whether another message must wait, and with it whether this code is still the open one.
  public func isCoolingDown(at now: Instant) -> Bool { now < resendAt }

  public func belongs(toClient client: ClientID, proofKeyThumbprint: String) -> Bool {
    self.client == client && self.proofKeyThumbprint == proofKeyThumbprint
  }

  public func consumed() -> CodeChallenge {
    with(client: client, proofKeyThumbprint: proofKeyThumbprint, isConsumed: true)
  }

  /// The same code, to be answered by another device of the person who gave the right password.
  ///
  /// The code moves, it is never shared: the device it moved away from must ask for another.
  public func moved(toClient client: ClientID, proofKeyThumbprint: String) -> CodeChallenge {
    with(client: client, proofKeyThumbprint: proofKeyThumbprint, isConsumed: isConsumed)
  }

  private func with(
    client: ClientID, proofKeyThumbprint: String, isConsumed: Bool
  ) -> CodeChallenge {
    CodeChallenge(
      id: id, account: account, client: client, proofKeyThumbprint: proofKeyThumbprint, mac: mac,
      supersededMACs: supersededMACs, digits: digits, expiresAt: expiresAt, resendAt: resendAt,
      isConsumed: isConsumed, purpose: purpose
    )
  }
}
