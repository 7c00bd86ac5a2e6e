public import JSONText
public import SignInModel

/// The answer to the right code: the code that a token request redeems.
public struct AuthorizationCodeAnswer: Equatable, Sendable {
  public let code: Secret

  public init(code: Secret) { self.code = code }

  public var json: JSON { .members([JSONMember(.authorizationCode, code.revealed)]) }

  public init?(json: JSON) {
    guard let code = json.text(.authorizationCode) else { return nil }
    self.init(code: Secret(code))
  }
}

/// The answer to a pushed authorization request (RFC 9126, section 2.2).
public struct PushedRequestAnswer: Equatable, Sendable {
  /// The prefix of every `request_uri`.
  public static let prefix = "urn:ietf:params:oauth:request_uri:"

  /// The parameter of the authorization endpoint.
  public let requestURI: String
  /// How many seconds it is valid.
  public let expiresIn: Int64

  public init(requestURI: String, expiresIn: Int64) {
    self.requestURI = requestURI
    self.expiresIn = expiresIn
  }

  public var json: JSON {
    .members([JSONMember(.requestURI, requestURI), JSONMember(.expiresIn, expiresIn)])
  }

  public init?(json: JSON) {
    guard let address = json.text(.requestURI), let seconds = json.seconds(.expiresIn)
    else { return nil }
    self.init(requestURI: address, expiresIn: seconds)
  }
}

/// The answer to a revocation.
public struct RevocationAnswer: Equatable, Sendable {
  /// Where the person signs out of the identity provider; `nil` without a provider.
  public let signOutPage: String?

  public init(signOutPage: String?) { self.signOutPage = signOutPage }

  public var json: JSON { .members([JSONMember(.endSessionURI, ifPresent: signOutPage)]) }

  public init(json: JSON) { signOutPage = json.text(.endSessionURI) }
}

/// The answer to a person's request for an account, and to its code.
public enum RegistrationAnswer: Equatable, Sendable {
  public static let codeSentStatus = "code_sent"

  /// The account waits for an approval, or is active.
  case settled(AccountStatus)
  /// A code was sent to the number.
  ///
  /// The session is sent back with it.
  case codeSent(session: Secret, CodePrompt)

  public var json: JSON {
    switch self {
    case .settled(let status): .members([JSONMember(.status, status.rawValue)])
    case .codeSent(let session, let prompt):
      .members([
        JSONMember(.status, Self.codeSentStatus),
        JSONMember(.registrationSession, session.revealed), JSONMember(.challenge, prompt.json),
      ])
    }
  }

  /// Returns `nil` if a member is missing or has another type.
  public init?(json: JSON) {
    guard let text = json.text(.status) else { return nil }
    if let status = AccountStatus(rawValue: text) {
      self = .settled(status)
      return
    }
    guard text == Self.codeSentStatus, let session = json.text(.registrationSession),
      let prompt = CodePrompt(json: json[.challenge])
    else { return nil }
    self = .codeSent(session: Secret(session), prompt)
  }
}

/// The answer to a reset of the password on an unknown device: the password is valid later.
public struct WaitingPasswordAnswer: Equatable, Sendable {
  public static let status = "waiting"

  public let availableAt: Instant

  public init(availableAt: Instant) { self.availableAt = availableAt }

  public var json: JSON {
    .members([
      JSONMember(.status, Self.status), JSONMember(.availableAt, availableAt.seconds),
    ])
  }

  public init?(json: JSON) {
    guard json.text(.status) == Self.status, let seconds = json.unixSeconds(.availableAt)
    else { return nil }
    self.init(availableAt: Instant(seconds: seconds))
  }
}
