public import JSONText
public import SignInModel

/// An identity provider that a development server brings itself.
///
/// With it, a sign-in at a provider can be tried without an account at a company. Its page says
/// that it checks no identity. A production server has none.
public enum PracticeProvider: String, CaseIterable, Sendable {
  case bankID = "bankid"
  case vipps

  /// A person of the practice provider.
  public struct Person: Sendable {
    /// The identifier of the person at the provider.
    public let subject: String
    public let givenName: String
    public let familyName: String
    fileprivate let birthDate: String
    /// The account of the demo that belongs to this person; nil if the first sign-in creates one.
    public let account: AccountID?

    public var name: String { givenName + " " + familyName }
  }

  /// The first part of all paths of practice providers.
  public static let path = "/practice/"
  /// This server at the practice providers.
  public static let clientID = "fieldpass"

  /// Each has another number at each provider, because a number belongs to one account only.
  public static let people: [Person] = [
    Person(
      subject: "maja", givenName: "Maja", familyName: "Solberg", birthDate: "1984-03-09",
      account: AccountID("mentor")),
    Person(
      subject: "erik", givenName: "Erik", familyName: "Dahl", birthDate: "1990-11-23",
      account: nil),
    Person(
      subject: "sunita", givenName: "Sunita", familyName: "Rao", birthDate: "1978-06-30",
      account: nil),
  ]

  public var label: String {
    switch self {
    case .bankID: "BankID"
    case .vipps: "Vipps"
    }
  }

  /// Vipps returns the data of a person at its user-info endpoint, and BankID in the ID token.
  public var hasUserInfo: Bool { self == .vipps }

  private var scopes: [String] {
    switch self {
    case .bankID: ["openid", "profile"]
    case .vipps: ["openid", "name", "phoneNumber", "email"]
    }
  }

  /// Its issuer at the server with this URL.
  public func issuer(at server: String) -> String { server + Self.path + rawValue }

  /// The provider as this server uses it.
  ///
  /// New accounts are accounts of the demo, so that `fieldpass demo remove` removes them.
  public func provider(
    at server: String, organization: OrganizationID?, secret: Secret
  ) -> IdentityProvider {
    let issuer = issuer(at: server)
    var settings = IdentityProvider.Settings(
      name: rawValue,
      kind: .openID(issuer: issuer, discovery: IdentityProvider.discovery(of: issuer)),
      clientID: Self.clientID, scopes: scopes)
    settings.label = label
    settings.algorithms = [.es256]
    settings.newAccounts = IdentityProvider.NewAccounts(role: .mentor, organization: organization)
    settings.isPractice = true
    return IdentityProvider(settings: settings, credential: .secret(secret, nil))
  }

  /// The claims about a person, with the names that the vendor documents.
  ///
  /// They are constructed. BankID returns no phone number; this one does, because a new account
  /// needs one.
  public func claims(of person: Person) -> [JSONMember] {
    let shared = [
      JSONMember("name", person.name), JSONMember("phone_number", phoneNumber(of: person)),
      JSONMember("phone_number_verified", true),
    ]
    return switch self {
    case .bankID:
      shared + [
        JSONMember("given_name", person.givenName), JSONMember("family_name", person.familyName),
        JSONMember("birthdate", person.birthDate), JSONMember("acr", "urn:bankid:bid;LOA=4"),
        JSONMember("amr", .array([.string("BID")])),
      ]
    case .vipps:
      shared + [
        JSONMember("email", person.emailAddress), JSONMember("email_verified", true),
      ]
    }
  }

  /// No area of +1 has the code 555, so no messenger sends a message to these numbers.
  private func phoneNumber(of person: Person) -> String {
    if let phone = person.demoAccount?.phone { return phone.e164 }
    let number = Self.people.firstIndex { $0.subject == person.subject } ?? 0
    return "+155503\(self == .bankID ? "1" : "2")000\(number)"
  }
}

extension PracticeProvider.Person {
  fileprivate var demoAccount: Account? {
    Demo.people.first { $0.account.id == account }?.account
  }

  fileprivate var emailAddress: String {
    demoAccount?.email?.text ?? "\(subject).practice@example.com"
  }
}

extension Configuration {
  /// The practice providers that apps name and that the configuration does not describe.
  ///
  /// A production configuration has none, because it must describe every provider that it names.
  public var practiceProviders: [PracticeProvider] {
    PracticeProvider.allCases.filter { practice in
      clients.contains { $0.providers.contains(practice.rawValue) }
        && !providers.contains { $0.settings.name == practice.rawValue }
    }
  }
}

extension AccountRecords where Self: IdentityRecords {
  /// Links the people of the practice providers with their accounts of the demo.
  ///
  /// Links of an earlier start at another port are removed.
  func linkPracticePeople(in world: World, at now: Instant) throws(StoreFault) {
    for practice in PracticeProvider.allCases {
      guard let provider = world.providers?.provider(practice.rawValue),
        provider.settings.isPractice
      else { continue }
      let issuer = provider.settings.identityIssuer
      for person in PracticeProvider.people {
        guard let account = person.account, try self.account(account) != nil,
          try identity(issuer: issuer, subject: person.subject) == nil
        else { continue }
        for old in try identities(of: account)
        where old.issuer.hasSuffix(practice.issuer(at: "")) {
          try removeIdentity(issuer: old.issuer, subject: old.subject)
        }
        try insert(
          Identity(
            issuer: issuer, subject: person.subject, account: account, provider: provider.name,
            linkedAt: now, lastUsedAt: nil))
      }
    }
  }
}
