import JSONText
import SignInModel

/// A claim that this server adds to an app's tokens, and the attribute with its value.
public struct TokenClaim: Equatable, Sendable {
  /// An attribute of an account or its session.
  public enum Attribute: String, CaseIterable, Sendable {
    case role
    /// The organization of the session.
    ///
    /// Absent if it has none.
    case organization
    /// Every organization of the account, or the one to which its session is limited.
    case organizations
    case name
    case email
    case phoneNumber = "phone_number"
  }

  public static let countLimit = 16

  /// Claims that configured claims must not replace.
  ///
  /// They are the claims of this server's tokens (RFC 7519, RFC 9068, RFC 9449, OpenID Connect
  /// Core), and claims that a gateway may trust.
  static let reservedNames: Set<String> = [
    "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "client_id", "scope", "sid", "auth_time",
    "amr", "acr", "azp", "nonce", "at_hash", "c_hash", "org", "cnf", "act", "may_act", "active",
    "token_type", "username", "typ", "events",
  ]

  public let name: String
  public let attribute: Attribute

  /// The claim with its value; `nil` if the account has no such value.
  ///
  /// `organizations` are those of the account that are configured.
  func member(
    of account: Account, in organization: OrganizationID?, of organizations: [OrganizationID]
  ) -> JSONMember? {
    switch attribute {
    case .role: return JSONMember(name, account.role.rawValue)
    case .organization: return JSONMember(name, ifPresent: organization?.text)
    case .organizations:
      return JSONMember(name, .array(organizations.map { JSON.string($0.text) }))
    case .name: return JSONMember(name, account.name)
    case .email: return JSONMember(name, ifPresent: account.email?.text)
    case .phoneNumber: return JSONMember(name, ifPresent: account.phone?.e164)
    }
  }
}

extension AppRegistration {
  /// The largest number of APIs that the tokens of one app can be for.
  public static let audienceLimit = 16
  /// The largest number of origins of web pages that may call this server for one app.
  public static let originLimit = 16
  /// The largest number of identity providers of one app.
  public static let providerLimit = 16
  /// The largest number of redirect URIs of one app.
  public static let redirectURILimit = 16

  /// The configured claims with their values for a session of this account.
  ///
  /// `organizations` are those of the account that are configured.
  func claims(
    of account: Account, in organization: OrganizationID?, of organizations: [OrganizationID]
  ) -> [JSONMember] {
    claims.compactMap { $0.member(of: account, in: organization, of: organizations) }
  }

  /// The audiences of the app's tokens: the one API in the request (RFC 8707), or this server and
  /// every configured API.
  ///
  /// - Returns: `nil` if the app's tokens must not be for this API.
  func audiences(for resource: String?, issuer: String) -> [String]? {
    TokenAudience.chosen(for: resource, of: audiences, issuer: issuer)
  }
}

extension World {
  /// The configured claims of an app with their values for a session of this account.
  func claims(
    of account: Account, in session: Session, of app: AppRegistration
  ) -> [JSONMember] {
    app.claims(
      of: account, in: session.organization, of: organizations(of: account, in: session))
  }
}

/// The audiences of an access token, for people and for service accounts.
enum TokenAudience {
  /// The one API in the request, or this server and every configured API; `nil` if the API is not
  /// allowed.
  static func chosen(
    for resource: String?, of configured: [String], issuer: String
  ) -> [String]? {
    guard let resource else { return [issuer] + configured.filter { $0 != issuer } }
    let isAllowed = ([issuer] + configured).contains { $0.utf8.elementsEqual(resource.utf8) }
    return isAllowed ? [resource] : nil
  }

  /// One audience is a text, several are a list (RFC 7519, section 4.1.3).
  static func claim(_ audiences: [String]) -> JSON {
    if audiences.count == 1, let only = audiences.first { return .string(only) }
    return .array(audiences.map { JSON.string($0) })
  }
}
