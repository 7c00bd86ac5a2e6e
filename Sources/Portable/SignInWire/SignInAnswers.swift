public import JSONText
public import SignInModel

/// The answer to the right code: the code that a token request redeems.
public struct AuthorizationCodeAnswer: Equatable, Sendable {
  public static let codeName = "authorization_code"

  public let code: Secret

  public init(code: Secret) { self.code = code }

  public var json: JSON { .members([JSONMember(Self.codeName, code.revealed)]) }

  public init?(json: JSON) {
    guard let code = json[Self.codeName]?.text else { return nil }
    self.init(code: Secret(code))
  }
}

/// The answer to a pushed authorization request (RFC 9126, section 2.2).
public struct PushedRequestAnswer: Equatable, Sendable {
  public static let addressName = "request_uri"
  /// The prefix of every `request_uri`.
  public static let prefix = "urn:ietf:params:oauth:request_uri:"
  public static let lifetimeName = "expires_in"

  /// The parameter of the authorization endpoint.
  public let requestURI: String
  /// How many seconds it is valid.
  public let expiresIn: Int64

  public init(requestURI: String, expiresIn: Int64) {
    self.requestURI = requestURI
    self.expiresIn = expiresIn
  }

  public var json: JSON {
    .members([
      JSONMember(Self.addressName, requestURI), JSONMember(Self.lifetimeName, expiresIn),
    ])
  }

  public init?(json: JSON) {
    guard let address = json[Self.addressName]?.text, let seconds = json[Self.lifetimeName]?.seconds
    else { return nil }
    self.init(requestURI: address, expiresIn: seconds)
  }
}

/// The answer to a revocation.
public struct RevocationAnswer: Equatable, Sendable {
  public static let signOutPageName = "end_session_uri"

  /// Where the person signs out of the identity provider; `nil` without a provider.
  public let signOutPage: String?

  public init(signOutPage: String?) { self.signOutPage = signOutPage }

  public var json: JSON { .members([JSONMember(Self.signOutPageName, ifPresent: signOutPage)]) }

  public init(json: JSON) { signOutPage = json[Self.signOutPageName]?.text }
}

/// The answer to a reset of the password on an unknown device: the password is valid later.
public struct WaitingPasswordAnswer: Equatable, Sendable {
  public static let statusName = "status"
  public static let status = "waiting"
  public static let startName = "available_at"

  public let availableAt: Instant

  public init(availableAt: Instant) { self.availableAt = availableAt }

  public var json: JSON {
    .members([
      JSONMember(Self.statusName, Self.status), JSONMember(Self.startName, availableAt.seconds),
    ])
  }

  public init?(json: JSON) {
    guard json[Self.statusName]?.text == Self.status,
      let seconds = json[Self.startName]?.unixSeconds
    else { return nil }
    self.init(availableAt: Instant(seconds: seconds))
  }
}
