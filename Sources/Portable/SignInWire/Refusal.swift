public import JSONText
public import SignInModel

/// A refusal of a use case: the body of every unsuccessful answer of the OAuth and sign-in
/// endpoints, and a problem document on the other routes.
public struct Refusal: Error, Equatable, Sendable {
  public var code: ErrorCode
  /// For developers, never for the person who signs in.
  ///
  /// It is ASCII, without secrets and paths.
  public var description: String?
  public var authSession: Secret?
  public var challenge: CodePrompt?
  public var attemptsLeft: Int64?
  public var lockedUntil: Instant?
  public var resendAt: Instant?
  /// With `otp_expired`: another code has taken the place of this one; `nil` if it expired.
  public var superseded: SupersededCode?
  /// Seconds until a retry is useful.
  ///
  /// The HTTP field `Retry-After` has the same value.
  public var retryIn: Int64?
  /// With `invalid_grant`: why the session ended.
  ///
  /// With `rate_limited`: why the number gets no messages.
  /// With `otp_expired`: `another_device` if the code that replaced this one works only there.
  public var reason: String?
  /// The nonce for the next proof, with `use_dpop_nonce`.
  ///
  /// It is sent as the HTTP field `DPoP-Nonce`.
  public var proofNonce: String?

  /// With `redirect_to_web`: the parameter of the authorization endpoint.
  ///
  /// `nil` if an account without a phone number was refused after its password.
  public var requestURI: String?
  /// With `redirect_to_web`: seconds until the browser must open it.
  public var expiresIn: Int64?
  /// The current version of the record, with `precondition_failed`, if other systems write data.
  public var currentVersion: Int64?
  /// The members of the request that are wrong, with administration requests.
  public var mistakes: [MemberMistake] = []

  init(_ code: ErrorCode, _ description: String? = nil) {
    self.code = code
    self.description = description
  }

  public var json: JSON {
    .members([
      JSONMember(.error, code.rawValue),
      JSONMember(.errorDescription, ifPresent: description),
      JSONMember(.authSession, ifPresent: authSession?.revealed),
      challenge.map { JSONMember(.challenge, $0.json) },
      JSONMember(.attemptsLeft, ifPresent: attemptsLeft),
      JSONMember(.lockedUntil, ifPresent: lockedUntil?.seconds),
      JSONMember(.resendAt, ifPresent: resendAt?.seconds),
      superseded.map { _ in JSONMember(.superseded, true) },
      JSONMember(.retryIn, ifPresent: retryIn),
      JSONMember(.reason, ifPresent: reason),
      JSONMember(.requestURI, ifPresent: requestURI),
      JSONMember(.expiresIn, ifPresent: expiresIn),
    ])
  }

  /// Reads the body of an unsuccessful answer: an OAuth error or a `Problem`.
  ///
  /// Returns `nil` if there is no code, or if this version does not know it.
  public init?(json: JSON) {
    let text = json.text(.error) ?? json.text(.code)
    guard let code = text.flatMap({ ErrorCode(rawValue: $0) }) else { return nil }
    self.init(code, json.text(.errorDescription))
    authSession = json.text(.authSession).map { Secret($0) }
    challenge = CodePrompt(json: json[.challenge])
    attemptsLeft = json.count(.attemptsLeft)
    lockedUntil = json.unixSeconds(.lockedUntil).map { Instant(seconds: $0) }
    resendAt = json.unixSeconds(.resendAt).map { Instant(seconds: $0) }
    retryIn = json.seconds(.retryIn)
    reason = json.text(.reason)
    if json.flag(.superseded) == true { superseded = SupersededCode(reason: reason) }
    requestURI = json.text(.requestURI)
    expiresIn = json.seconds(.expiresIn)
  }
}

/// Which code has taken the place of the entered one.
public enum SupersededCode: Equatable, Sendable {
  /// A newer code of the same device.
  case byNewerCode
  /// A code that works only on another device.
  case byAnotherDevice

  public static let anotherDevice = "another_device"

  init(reason: String?) {
    let isElsewhere = reason.map { $0.hasSameBytes(as: Self.anotherDevice) } ?? false
    self = isElsewhere ? .byAnotherDevice : .byNewerCode
  }

  var reason: String? { self == .byAnotherDevice ? Self.anotherDevice : nil }
}
