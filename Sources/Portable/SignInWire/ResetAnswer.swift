public import JSONText
public import SignInModel

/// What `POST /password/forgot` answers, whoever asked and for whomever.
public struct ResetAnswer: Equatable, Sendable {
  /// Goes back with the code and the new password.
  public let resetSession: Secret
  public let challenge: CodePrompt

  public init(resetSession: Secret, challenge: CodePrompt) {
    self.resetSession = resetSession
    self.challenge = challenge
  }

  public var json: JSON {
    .members([
      JSONMember("reset_session", resetSession.revealed), JSONMember("challenge", challenge.json),
    ])
  }

  /// Nil when a member is missing or of another type.
  public init?(json: JSON) {
    guard let session = json["reset_session"]?.text,
      let challenge = CodePrompt(json: json["challenge"])
    else { return nil }
    self.init(resetSession: Secret(session), challenge: challenge)
  }
}
