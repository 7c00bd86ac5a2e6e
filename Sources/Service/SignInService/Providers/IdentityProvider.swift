public import Cryptography
public import SignInModel

/// A server at which people can sign in instead of here.
///
/// This server is its relying party: a client with its own `client_id` there.
public struct IdentityProvider: Sendable {
  public let settings: Settings
  public let credential: Credential

  public init(settings: Settings, credential: Credential) {
    self.settings = settings
    self.credential = credential
  }

  public var name: String { settings.name }

  /// How this server authenticates at the provider.
  public enum Credential: Sendable {
    /// A public client, with PKCE only.
    case none
    /// Without a method, the provider's metadata decides how the secret is sent.
    case secret(Secret, SecretMethod?)
    /// `private_key_jwt` in ES256 (RFC 7523); `id` is the `kid` of the key at the provider.
    case key(SigningKey, id: String?)
  }

  /// How the provider says who the person is.
  public enum Kind: Equatable, Sendable {
    /// OpenID Connect: with an ID token. `discovery` is the URL of its metadata.
    case openID(issuer: String, discovery: String)
    /// OAuth 2.0: with an answer of its user-info endpoint.
    case oauth2(Endpoints)
  }

  /// The endpoints of an OAuth 2.0 provider, which has no metadata.
  public struct Endpoints: Equatable, Sendable {
    public static let standardSubjectClaim = "sub"

    public let authorization: String
    public let token: String
    public let userInfo: String
    /// The member of the user info that identifies a person.
    public let subjectClaim: String

    public init(
      authorization: String, token: String, userInfo: String,
      subjectClaim: String = Endpoints.standardSubjectClaim
    ) {
      self.authorization = authorization
      self.token = token
      self.userInfo = userInfo
      self.subjectClaim = subjectClaim
    }
  }

  /// A parameter of the authorization request.
  public struct Parameter: Equatable, Sendable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// When a code by text message follows a sign-in at the provider.
  public enum SecondFactor: String, CaseIterable, Sendable {
    case never
    /// If the provider does not say that it checked several factors.
    case unlessSeveral = "unless_mfa"
    case always
  }

  /// The accounts that the first sign-in of an unknown person creates.
  public struct NewAccounts: Equatable, Sendable {
    /// The role of people for whom no rule names one; nil if they get no account.
    public let role: AccountRole?
    /// The organization of people for whom no rule names one.
    public let organization: OrganizationID?
    /// The first rule that applies to a person counts.
    public let rules: [ClaimRule]
    /// Whether each sign-in gives a created account its role and organization again.
    public let updatesAccounts: Bool

    public init(
      role: AccountRole?, organization: OrganizationID?, rules: [ClaimRule] = [],
      updatesAccounts: Bool = false
    ) {
      self.role = role
      self.organization = organization
      self.rules = rules
      self.updatesAccounts = updatesAccounts
    }
  }

  /// The configuration of a provider.
  ///
  /// It contains no secret.
  public struct Settings: Equatable, Sendable {
    /// The name in the configuration, in `provider=` and in the path of the callback.
    public let name: String
    /// The name for people.
    public var label: String
    public var kind: Kind
    public let clientID: String
    public var scopes: [String]
    /// The algorithms that may sign its ID tokens.
    ///
    /// OpenID Connect Core, section 3.1.3.7, has RS256 as the default.
    public var algorithms: [SignatureAlgorithm] = [.rs256]
    /// The classes of authentication that are requested and accepted; empty for any.
    public var assurances: [String] = []
    /// Claims that every ID token must have.
    public var requiredClaims: [RequiredClaim] = []
    /// When a code of this server follows.
    public var secondFactor = SecondFactor.never
    /// The values of `amr` and `acr` that prove several factors; empty for `mfa` and `assurances`.
    public var factorProofs: [String] = []
    /// The greatest age of the person's authentication in seconds; nil for any.
    public var authenticationAgeSeconds: Int64?
    /// Further parameters of the authorization request.
    public var parameters: [Parameter] = []
    /// Whether signing out of an app also opens the provider's sign-out page.
    public var endsSession = false
    /// Whether calls may go to private networks, and through the proxy of the environment.
    public var allowsPrivateAddresses = false
    /// E-mail domains, in lower case, whose people sign in here.
    public var emailDomains: [String] = []
    /// Whether a new account needs a verified address of one of these domains.
    ///
    /// The issuer of a generic provider may be shared with other organizations.
    public var requiresEmailOfDomains = false
    /// The organization whose administrators may link identities, and in which its people work;
    /// nil if it belongs to all.
    public var administeredBy: OrganizationID?
    /// Audiences that its ID tokens may name beside `clientID`.
    public var trustedAudiences: [String] = []
    /// Nil if people need an account before their first sign-in.
    public var newAccounts: NewAccounts?
    /// Whether it is a practice provider, whose new accounts belong to the demo.
    public var isPractice = false
    /// The address of Microsoft Graph, where groups are read that an ID token does not contain.
    ///
    /// Without a slash at the end. Nil if they are not read.
    public var groupEndpoint: String?

    public init(name: String, kind: Kind, clientID: String, scopes: [String]) {
      self.name = name
      label = name
      self.kind = kind
      self.clientID = clientID
      self.scopes = scopes
    }

    /// Where calls to this provider may go.
    ///
    /// This machine is permitted only if the configuration names it: a name, or the metadata of a
    /// provider elsewhere, must not lead a call to the other servers of this machine.
    public var addresses: ProviderAddresses {
      guard allowsPrivateAddresses else { return .public }
      return calledAddresses.contains { WebAddress(parsing: $0)?.isLoopback ?? false }
        ? .privateAndLoopback : .private
    }

    /// The configured addresses that this server calls.
    private var calledAddresses: [String] {
      switch kind {
      case .openID(_, let discovery): [discovery]
      case .oauth2(let endpoints): [endpoints.token, endpoints.userInfo]
      }
    }

    /// Whether the scopes request the phone number.
    ///
    /// `phone` is the standard scope, and `phoneNumber` is the scope of Vipps.
    var asksForPhone: Bool { scopes.contains { $0 == "phone" || $0 == "phoneNumber" } }

    /// Whether an account may have this address.
    ///
    /// A provider with domains of its own knows only addresses of these domains.
    func accepts(_ email: EmailAddress) -> Bool {
      emailDomains.isEmpty || emailDomains.contains(email.domain)
    }

    /// The issuer part of an identity.
    ///
    /// An OAuth 2.0 provider has no issuer, so the URL of its token endpoint is used.
    public var identityIssuer: String {
      switch kind {
      case .openID(let issuer, _): issuer
      case .oauth2(let endpoints): endpoints.token
      }
    }
  }

  /// The allowed values of `max_age` (OpenID Connect Core, section 3.1.2.1), in seconds.
  static let authenticationAgeLimits: ClosedRange<Int64> = 0...31_536_000

  /// The URL of an issuer's metadata (OpenID Connect Discovery, section 4).
  public static func discovery(of issuer: String) -> String {
    (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer)
      + "/.well-known/openid-configuration"
  }
}
