public import SignInModel

/// A code sent to an account, and when another may be sent.
///
///     live ──right answer──▶ consumed
///       ├──300.0 s pass────▶ expired
///       └──another is sent─▶ superseded (another identifier takes its place)
///
/// A right answer also ends the cooldown, so that another device of the same person need not wait.
///
/// One code is live for each account, purpose and holder. A holder is one device that signed in to
/// the account before, or all unknown devices together, so that a request from an unknown device
/// replaces no code of a known one.
public struct CodeChallenge: Equatable, Sendable {
  public struct Policy: Equatable, Sendable {
    public var digits: Int64 = 6
    /// A code lives this long, to the second (BR-AUTH-002, T-12).
    public var lifeSeconds: Int64 = 300
    /// Between two messages to one holder of codes (T-08, R-05).
    public var resendSeconds: Int64 = 60

    public init() {}
  }

  /// What a right answer allows.
  public enum Purpose: String, CaseIterable, Sendable {
    case signIn = "sign_in"
    case passwordReset = "password_reset"
  }

  /// The devices that share one live code and one cooldown.
  public enum Holder: Hashable, Sendable {
    /// A device that signed in to the account before, by the RFC 7638 thumbprint of its key.
    case knownDevice(String)
    /// All other devices together.
    case unknownDevices
  }

  /// The key under which a code is stored: at most one code exists for each.
  public struct Place: Hashable, Sendable {
    public let account: AccountID
    public let purpose: Purpose
    public let holder: Holder

    public init(account: AccountID, purpose: Purpose, holder: Holder) {
      self.account = account
      self.purpose = purpose
      self.holder = holder
    }
  }

  /// Distinguishes this code from the ones it superseded.
  public let id: String
  public let place: Place
  public let client: ClientID
  /// RFC 7638 thumbprint of the proof key of the device that may answer.
  ///
  /// For a password reset that began without a key, a text that stands for its reset session.
  public let proofKeyThumbprint: String
  /// HMAC of the code under a key that lies outside the store; the code itself is kept nowhere.
  public let mac: [UInt8]
  /// The same of codes this one took the place of, so that a late older code is told apart.
  public let supersededMACs: [[UInt8]]
  public let digits: Int64
  public let expiresAt: Instant
  /// When another message may be sent to this holder.
  public let resendAt: Instant
  public let isConsumed: Bool

  public init(
    id: String, place: Place, client: ClientID, proofKeyThumbprint: String, mac: [UInt8],
    supersededMACs: [[UInt8]], digits: Int64, expiresAt: Instant, resendAt: Instant,
    isConsumed: Bool
  ) {
    self.id = id
    self.place = place
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
    id: String, at place: Place, client: ClientID, proofKeyThumbprint: String, mac: [UInt8],
    inPlaceOf earlier: CodeChallenge?, at now: Instant, under policy: Policy
  ) -> CodeChallenge {
    var superseded: [[UInt8]] = []
    if let earlier, now < earlier.expiresAt, !earlier.isConsumed {
      superseded = [earlier.mac] + earlier.supersededMACs.prefix(supersededLimit - 1)
    }
    return CodeChallenge(
      id: id, place: place, client: client, proofKeyThumbprint: proofKeyThumbprint, mac: mac,
      supersededMACs: superseded, digits: policy.digits,
      expiresAt: now.adding(seconds: policy.lifeSeconds),
      resendAt: now.adding(seconds: policy.resendSeconds), isConsumed: false
    )
  }

  /// Whether an answer may still be compared with this code: false at 300.0 s exactly.
  public func isLive(at now: Instant) -> Bool { !isConsumed && now < expiresAt }

  /// Whether another message to this holder must wait.
  public func isCoolingDown(at now: Instant) -> Bool { now < resendAt }

  public func belongs(toClient client: ClientID, proofKeyThumbprint: String) -> Bool {
    self.client == client && self.proofKeyThumbprint == proofKeyThumbprint
  }

  public func consumed() -> CodeChallenge { with(place, isConsumed: true) }

  /// The right answer came: the message has arrived, so another one need not wait for it.
  public func used(at now: Instant) -> CodeChallenge {
    with(place, isConsumed: true, resendAt: min(resendAt, now))
  }

  /// The same code under another holder, when its device became known to the account.
  public func held(by holder: Holder) -> CodeChallenge {
    with(
      Place(account: place.account, purpose: place.purpose, holder: holder), isConsumed: isConsumed
    )
  }

  private func with(
    _ place: Place, isConsumed: Bool, resendAt: Instant? = nil
  ) -> CodeChallenge {
    CodeChallenge(
      id: id, place: place, client: client, proofKeyThumbprint: proofKeyThumbprint, mac: mac,
      supersededMACs: supersededMACs, digits: digits, expiresAt: expiresAt,
      resendAt: resendAt ?? self.resendAt, isConsumed: isConsumed
    )
  }
}
