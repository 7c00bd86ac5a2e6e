public import SignInModel

/// A code that was sent to an account, and the time of the next possible code.
///
///     live ──right answer──▶ consumed
///       ├──300.0 s pass────▶ expired
///       └──another is sent─▶ superseded (by a code with another identifier)
///
/// A right answer also ends the resend cooldown, so that another device of the same person need not
/// wait.
///
/// One code is live for each account, purpose and holder. A holder is one known device, or all
/// unknown devices together. So a request from an unknown device never replaces the code of a known
/// device.
public struct CodeChallenge: Equatable, Sendable {
  public struct Policy: Equatable, Sendable {
    public let digits: Int64
    /// The exact lifetime of a code (T-12, L-15).
    public let lifeSeconds: Int64
    /// The time between two messages to one holder (T-08, R-05).
    public let resendSeconds: Int64

    public init(digits: Int64, lifeSeconds: Int64, resendSeconds: Int64) {
      self.digits = digits
      self.lifeSeconds = lifeSeconds
      self.resendSeconds = resendSeconds
    }
  }

  /// What a right answer allows.
  public enum Purpose: String, CaseIterable, Sendable {
    case signIn = "sign_in"
    case passwordReset = "password_reset"
    /// A right answer creates an account, or shows the status of the one that exists.
    case registration
    /// A right answer proves a new address or number of the account.
    case contactChange = "contact_change"
  }

  /// The devices that share one live code and one resend cooldown.
  public enum Holder: Hashable, Sendable {
    /// A known device, by the thumbprint of its key (RFC 7638).
    case knownDevice(String)
    /// All other devices together.
    case unknownDevices
  }

  /// The key of a stored code, which identifies at most one code.
  public struct Key: Hashable, Sendable {
    public let account: AccountID
    public let purpose: Purpose
    public let holder: Holder

    public init(account: AccountID, purpose: Purpose, holder: Holder) {
      self.account = account
      self.purpose = purpose
      self.holder = holder
    }
  }

  /// Distinguishes this code from those it superseded.
  public let id: String
  public let place: Key
  public let client: ClientID
  /// The thumbprint (RFC 7638) of the key of the device that may answer.
  ///
  /// For a password reset that began without a key, it is a text that identifies the reset.
  public let proofKeyThumbprint: String
  /// HMAC of the code under a key outside the store.
  ///
  /// The code itself is never stored.
  public let mac: [UInt8]
  /// The HMACs of the superseded codes, so that a late answer with an older code gets its own
  /// error.
  public let supersededMACs: [[UInt8]]
  public let digits: Int64
  public let expiresAt: Instant
  /// When another message may be sent to this holder.
  public let resendAt: Instant
  public let isConsumed: Bool

  public init(
    id: String, place: Key, client: ClientID, proofKeyThumbprint: String, mac: [UInt8],
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

  /// How many superseded codes are stored.
  ///
  /// They include expired ones, because a message can arrive after its code has expired.
  public static let supersededLimit = 8

  /// A code that was not sent yet.
  public struct Draft: Sendable {
    public let id: String
    public let place: Key
    public let client: ClientID
    public let proofKeyThumbprint: String
    public let mac: [UInt8]

    public init(
      id: String, place: Key, client: ClientID, proofKeyThumbprint: String, mac: [UInt8]
    ) {
      self.id = id
      self.place = place
      self.client = client
      self.proofKeyThumbprint = proofKeyThumbprint
      self.mac = mac
    }

    /// The code that is sent now and that replaces `earlier`.
    public func sent(
      inPlaceOf earlier: CodeChallenge?, at now: Instant, under policy: Policy
    ) -> CodeChallenge {
      var superseded: [[UInt8]] = []
      if let earlier, !earlier.isConsumed {
        superseded = [earlier.mac] + earlier.supersededMACs.prefix(supersededLimit - 1)
      }
      return CodeChallenge(
        id: id, place: place, client: client, proofKeyThumbprint: proofKeyThumbprint, mac: mac,
        supersededMACs: superseded, digits: policy.digits,
        expiresAt: now.adding(seconds: policy.lifeSeconds),
        resendAt: now.adding(seconds: policy.resendSeconds), isConsumed: false
      )
    }
  }

  /// Whether an answer may still be compared with this code.
  ///
  /// It is `false` at exactly 300.0 s.
  public func isLive(at now: Instant) -> Bool { !isConsumed && now < expiresAt }

  /// What to do with an answer.
  public enum Verdict: Equatable, Sendable {
    case compare
    /// It came after the life of the code, or the code was used.
    case expired
    /// It has the digits of an earlier code.
    case superseded
    /// The code of another device has taken the place of this device's code.
    case replaced
  }

  /// The verdict on an answer of this device; `isEarlierCode` says whether it has the digits of a
  /// superseded code.
  public func verdict(
    forClient client: ClientID, proofKeyThumbprint: String, isEarlierCode: Bool, at now: Instant
  ) -> Verdict {
    guard belongs(toClient: client, proofKeyThumbprint: proofKeyThumbprint) else {
      return .replaced
    }
    guard isLive(at: now) else { return .expired }
    return isEarlierCode ? .superseded : .compare
  }

  /// Whether another message to this holder must wait.
  public func isCoolingDown(at now: Instant) -> Bool { now < resendAt }

  public func belongs(toClient client: ClientID, proofKeyThumbprint: String) -> Bool {
    self.client == client && self.proofKeyThumbprint == proofKeyThumbprint
  }

  public func consumed() -> CodeChallenge { with(place, isConsumed: true) }

  /// The right answer arrived, so the message arrived too.
  ///
  /// The next message need not wait.
  public func used(at now: Instant) -> CodeChallenge {
    with(place, isConsumed: true, resendAt: min(resendAt, now))
  }

  /// The same code under another holder, after its device became a known device.
  public func held(by holder: Holder) -> CodeChallenge {
    with(
      Key(account: place.account, purpose: place.purpose, holder: holder), isConsumed: isConsumed
    )
  }

  private func with(
    _ place: Key, isConsumed: Bool, resendAt: Instant? = nil
  ) -> CodeChallenge {
    CodeChallenge(
      id: id, place: place, client: client, proofKeyThumbprint: proofKeyThumbprint, mac: mac,
      supersededMACs: supersededMACs, digits: digits, expiresAt: expiresAt,
      resendAt: resendAt ?? self.resendAt, isConsumed: isConsumed
    )
  }
}
