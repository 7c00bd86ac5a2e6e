public import SignInModel
import SignInRules
import SignInWire

/// The configuration of a server.
///
/// It is read at the start and does not change while the server runs.
public struct Configuration: Equatable, Sendable {
  /// The files for TLS.
  public struct TLS: Equatable, Sendable {
    /// The path of a PEM file with the certificate chain.
    ///
    /// `keyFile` is the path of the private key.
    public var certificateFile: String
    public var keyFile: String
    /// Only TLS 1.3 is accepted, unless an operator has devices that cannot use it.
    public var allowsTLS12 = false

    public init(certificateFile: String, keyFile: String) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
    }
  }

  /// The place of a secret.
  ///
  /// The configuration itself contains no secrets.
  public enum SecretLocation: Equatable, Sendable {
    case file(String)
    case environment(String)
  }

  /// The place of the store.
  public struct StoreLocation: Equatable, Sendable {
    /// The name of the adapter.
    public let kind: String
    /// The folder of this machine for the database, or only for keys and used proofs if a server
    /// has the database.
    public let folder: String
    public var server: DatabaseServer?
  }

  public struct Organization: Equatable, Sendable {
    public let id: OrganizationID
    public var name: String
    /// The policy values for its members.
    ///
    /// Values that protect accounts can only be stricter than the app's.
    public var policy = PolicyChanges.none

    public init(id: OrganizationID, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// The price of one part of a message to a country.
  public struct Price: Equatable, Sendable {
    /// A calling code, or the first digits of numbers with another price.
    public let country: String
    /// In millionths of the operator's currency.
    public let millionths: Int64

    /// One part costs at most as much as the messages of a whole day.
    static let range = PolicyKey.priceDaily.range

    public init(country: String, millionths: Int64) {
      self.country = country
      self.millionths = millionths
    }
  }

  /// A messenger for text messages.
  ///
  /// Messengers are tried in the order of the configuration.
  public struct Messenger: Equatable, Sendable {
    /// Stores messages, which can be read at `/dev/messages`.
    public static let inbox = "inbox"
    /// Sends notices by e-mail, and no codes.
    public static let mail = "smtp"

    public var name: String
    /// The name of the adapter.
    public var kind: String
    /// Calling codes such as `+47`.
    ///
    /// Empty for all countries.
    public var countries: [String] = []
    /// Other values of this kind, by key.
    public var texts: [String: String] = [:]
    public var numbers: [String: Int64] = [:]
    public var flags: [String: Bool] = [:]
    public var secret: SecretLocation?

    public init(name: String, kind: String) {
      self.name = name
      self.kind = kind
    }

    /// The key that allows an unencrypted connection to a gateway on another machine.
    public static let allowPlaintext = "allow_plaintext"

    /// Whether the connection goes to another machine without TLS.
    public var isSentUnencrypted: Bool {
      guard let host = texts["host"] else { return false }
      return flags["tls"] != true && !Host.isLoopback(host)
    }

    /// Whether the messages stay on this machine.
    public var isOnThisMachine: Bool {
      if kind == Self.inbox { return true }
      if let host = texts["host"] { return Host.isLoopback(host) }
      let address = (texts["url"] ?? texts["endpoint"]).flatMap { WebAddress(parsing: $0) }
      return address?.isLoopback ?? false
    }

    public var allowsPlaintext: Bool { flags[Self.allowPlaintext] == true }
  }

  /// The issuer URL of this server, without a slash at its end.
  ///
  /// It can be absent in development. Then it is the URL of the listener.
  public var issuer: String?
  public var listen = ListenAddress.standard
  /// Metrics show which accounts exist, so they have their own listener.
  public var metricsListen = ListenAddress.standardMetrics
  public var tls: TLS?
  /// The place of the store, which can be absent in development.
  ///
  /// Then the program chooses it.
  public var store: StoreLocation?
  public var organizations: [Organization] = []
  public var clients: [AppRegistration] = []
  public var serviceAccounts: [ServiceAccount] = []
  public var changeWebhooks: [ChangeWebhook] = []
  public var providers: [Provider] = []
  public var messengers: [Messenger] = []
  public var prices: [Price] = []
  /// The proxies that the server trusts to name the sender of a request (`X-Forwarded-For`).
  public var trustedProxies: [NetworkRange] = []
  /// Whether a proxy in the private network of this server speaks TLS for it, so that it may listen
  /// without a certificate at a private address.
  public var isBehindTLSProxy = false
  /// A PEM file with the authorities for all calls to other servers; `nil` for those of the
  /// machine.
  public var authoritiesFile: String?
  /// The largest number of open connections of one network address.
  ///
  /// It does not apply to trusted proxies.
  public var connectionsPerAddress = Configuration.standardConnectionsPerAddress
  /// A file with SHA-1 digests of breached passwords.
  ///
  /// People cannot choose these passwords.
  public var breachedPasswordsFile: String?
  /// A file in the MaxMind DB format with the towns or countries of network addresses.
  public var placesFile: String?
  /// Where people report weaknesses of this server: a `mailto:` or `https:` address (RFC 9116).
  public var securityContact: String?
  /// How many days an event stays in the security log.
  public var eventDays = Configuration.standardEventDays

  /// A year, and some time to request the data of that year.
  public static let standardEventDays: Int64 = 400
  static let eventDayLimits: ClosedRange<Int64> = 30...3650

  /// Many people can share one address, for example behind a mobile carrier.
  public static let standardConnectionsPerAddress: Int64 = 4096
  static let connectionLimits: ClosedRange<Int64> = 16...1_000_000
  /// Each request is compared with all of them.
  static let proxyLimit = 256

  public init() {}

  /// Whether a listener without a certificate is safe at an address.
  public func listensSafely(at address: ListenAddress) -> Bool {
    address.isLoopback || isBehindTLSProxy && address.isPrivate
  }

  /// The host of the issuer; `nil` without an issuer.
  public var issuerHost: String? { issuer.flatMap(WebAddress.init(parsing:))?.host }

  /// Warnings about values that are allowed but can be dangerous.
  ///
  /// They are shown at each start.
  public var warnings: [String] {
    var warnings: [String] = []
    if messengers.isEmpty {
      warnings.append("no messenger is configured: no code can be sent")
    } else if messengers.allSatisfy({ $0.kind == Messenger.mail }) {
      warnings.append("only e-mail is configured, which carries no codes: no code can be sent")
    }
    for messenger in messengers
    where messenger.allowsPlaintext && messenger.isSentUnencrypted {
      warnings.append(
        "messenger \(messenger.name) sends codes and its password unencrypted to another machine; "
          + "set tls, or be sure that the way to it is private"
      )
    }
    for client in clients where client.policy[.codeDigits] < AppRegistration.strongCodeDigits {
      warnings.append(
        "codes of \(client.id.text) have only \(client.policy[.codeDigits]) digits; "
          + "remove allow_weak_codes to go back to \(AppRegistration.strongCodeDigits)"
      )
    }
    warnings += clients.flatMap(\.warnings)
    // Nothing says that the company wants it, and a program seldom needs it.
    for account in serviceAccounts where account.organization == nil && organizations.count > 1 {
      warnings.append(
        "service account \(account.id.text) names no organization, so it may use the data of all;"
          + " write organization if it works for one"
      )
    }
    if messengers.contains(where: { $0.texts["template_id"] != nil }) {
      for client in clients where !client.hasTypedTexts {
        warnings.append(
          "a messenger sends registered texts, and the texts of \(client.id.text) do not say how "
            + "their variables were registered; write them as in {code:numeric}"
        )
      }
    }
    if !metricsListen.isLoopback {
      warnings.append(
        "metrics_listen can be reached by other machines: metrics need no credentials and tell "
          + "which accounts exist; let only your monitoring reach it"
      )
    }
    if let server = store?.server, server.isUnencrypted {
      warnings.append(
        "the connection to the database on \(server.host) is not encrypted: everyone on the way "
          + "can read and change it; set tls, or be sure that the way to it is private"
      )
    }
    warnings += proxyWarnings
    if isBehindTLSProxy, trustedProxies.isEmpty {
      warnings.append(
        "behind_tls_proxy has no trusted_proxies: all people seem to have the address of the "
          + "proxy, and share its limits")
    }
    if tls?.allowsTLS12 == true {
      warnings.append("TLS 1.2 is allowed; remove allow_tls_1_2 once no device needs it")
    }
    return warnings
  }

  private var proxyWarnings: [String] {
    trustedProxies.indices.filter { trustedProxies[$0].isWide }.map { index in
      "trusted_proxies[\(index)] is a network of many owners: each of its machines can say who the "
        + "client is, and so avoid all limits of network addresses; name only your proxies"
    }
  }
}
