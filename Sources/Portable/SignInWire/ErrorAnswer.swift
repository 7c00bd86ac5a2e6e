public import JSONText
public import SignInModel

/// The body of every answer that is not a success at the OAuth and sign-in endpoints.
public struct ErrorAnswer: Equatable, Sendable {
  public var code: ErrorCode
  /// For developers, never for the person signing in: ASCII, no secret, no path.
  public var description: String?
  public var authSession: String?
  public var challenge: CodePrompt?
  public var attemptsLeft: Int64?
  public var lockedUntil: Instant?
  public var resendAt: Instant?
  /// Seconds, also sent as `Retry-After`.
  public var retryIn: Int64?
  /// Why a session ended, with `invalid_grant`; why a number is never sent anything, with
  /// `rate_limited`.
  public var reason: String?
  /// What the next proof must carry, with `use_dpop_nonce`; sent as the field `DPoP-Nonce`.
  public var proofNonce: String?

  /// The version that a record has, with `precondition_failed` where other systems write data.
  public var currentVersion: Int64?

  public init(_ code: ErrorCode, _ description: String? = nil) {
    self.code = code
    self.description = description
  }

  public var json: JSON {
    .members([
      JSONMember("error", code.rawValue),
      JSONMember("error_description", ifPresent: description),
      JSONMember("auth_session", ifPresent: authSession),
      challenge.map { JSONMember("challenge", $0.json) },
      JSONMember("attempts_left", ifPresent: attemptsLeft),
      JSONMember("locked_until", ifPresent: lockedUntil?.seconds),
      JSONMember("resend_at", ifPresent: resendAt?.seconds),
      JSONMember("retry_in", ifPresent: retryIn),
      JSONMember("reason", ifPresent: reason),
    ])
  }

  /// Nil when there is no `error`, or one this version does not know.
  public init?(json: JSON) {
    guard let text = json["error"]?.text, let code = ErrorCode(rawValue: text) else { return nil }
    self.init(code, json["error_description"]?.text)
    authSession = json["auth_session"]?.text
    challenge = CodePrompt(json: json["challenge"])
    attemptsLeft = json["attempts_left"]?.count
    lockedUntil = json["locked_until"]?.unixSeconds.map { Instant(seconds: $0) }
    resendAt = json["resend_at"]?.unixSeconds.map { Instant(seconds: $0) }
    retryIn = json["retry_in"]?.seconds
    reason = json["reason"]?.text
  }
}
