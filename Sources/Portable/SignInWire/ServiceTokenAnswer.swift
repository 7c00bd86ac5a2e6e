public import JSONText
public import SignInModel

/// The answer to a service account's token request (RFC 6749, section 4.4.3).
///
/// It has neither a session nor a refresh token.
public struct ServiceTokenAnswer: Equatable, Sendable {
  public let accessToken: Secret
  /// `DPoP` if the request contained a proof, otherwise `Bearer`.
  public let tokenType: String
  /// In seconds.
  public let expiresIn: Int64
  /// The granted scopes, with spaces between them (RFC 6749, section 3.3).
  public let scope: String

  public init(accessToken: Secret, tokenType: String, expiresIn: Int64, scope: String) {
    self.accessToken = accessToken
    self.tokenType = tokenType
    self.expiresIn = expiresIn
    self.scope = scope
  }

  public var json: JSON {
    .members([
      JSONMember(.accessToken, accessToken.revealed), JSONMember(.tokenType, tokenType),
      JSONMember(.expiresIn, expiresIn), JSONMember(.scope, scope),
    ])
  }
}
