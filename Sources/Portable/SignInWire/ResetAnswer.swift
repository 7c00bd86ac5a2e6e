public import JSONText
public import SignInModel

/// The answer of `POST /password/forgot`.
///
/// It has the same form for known and unknown accounts.
public struct ResetAnswer: Equatable, Sendable {
  /// To be sent with the code and the new password.
  public let resetSession: Secret
  public let challenge: CodePrompt

  public init(resetSession: Secret, challenge: CodePrompt) {
    self.resetSession = resetSession
    self.challenge = challenge
  }

  public var json: JSON {
    .members([
      JSONMember(.resetSession, resetSession.revealed), JSONMember(.challenge, challenge.json),
    ])
  }

  /// Returns `nil` if a member is missing or has another type.
  public init?(json: JSON) {
    guard let session = json.text(.resetSession),
      let challenge = CodePrompt(json: json[.challenge])
    else { return nil }
    self.init(resetSession: Secret(session), challenge: challenge)
  }
}
