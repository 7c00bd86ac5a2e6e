public import SignInModel
import SignInRules
import SignInWire

/// Everything an operator decides, read once at startup and never changed while the server runs.
public struct Configuration: Equatable, Sendable {
  /// What the server presents when it speaks TLS itself.
  public struct TLS: Equatable, Sendable {
    /// Paths of PEM files: the certificate chain, and its private key.
    public var certificateFile: String
    public var keyFile: String
    /// TLS 1.3 only, unless an operator has devices that cannot speak it.
    public var allowsTLS12 = false

    public init(certificateFile: String, keyFile: String) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
    }
  }

  /// Where a secret is: never in the configuration itself.
  public enum SecretPlace: Equatable, Sendable {
    case file(String)
    case environment(String)
  }

  /// Where decisions are kept.
  public enum StoreLocation: Equatable, Sendable {
    case sqlite(directory: String)
  }

  public struct Organization: Equatable, Sendable {
    public let id: OrganizationID
    public var name: String
    /// What holds for its people; where safety demands it, only what is stricter than the app's.
    public var policy = PolicyChanges.none

    public init(id: OrganizationID, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// What one part of a message to a country costs.
  public struct Price: Equatable, Sendable {
    /// A calling code, or the beginning of numbers that cost more.
    public let country: String
    /// Of the operator's currency.
    public let millionths: Int64

    public init(country: String, millionths: Int64) {
      self.country = country
      self.millionths = millionths
    }
  }

  /// One carrier of text messages; they are asked in the order in which they stand.
  public struct Messenger: Equatable, Sendable {
    /// Keeps messages to be read at `/dev/messages`.
    public static let inbox = "inbox"
    /// Sends notices by e-mail, and no codes.
    public static let mail = "smtp"

    public var name: String
    /// What the adapter that carries the messages is called.
    public var kind: String
    /// Calling codes such as `+47`; none means every country.
    public var countries: [String] = []
    /// What else the kind takes, by key.
    public var texts: [String: String] = [:]
    public var numbers: [String: Int64] = [:]
    public var flags: [String: Bool] = [:]
    public var secret: SecretPlace?

    public init(name: String, kind: String) {
      self.name = name
      self.kind = kind
    }

    /// The key that allows a gateway on another machine to be reached without TLS.
    public static let allowPlaintext = "allow_plaintext"

    /// Whether it speaks to the host of another machine without TLS.
    public var isReadableOnTheWay: Bool {
      guard let host = texts["host"] else { return false }
      return flags["tls"] != true && !Host.isLoopback(host)
    }

    /// Whether what it is given stays on this machine.
    public var isOnThisMachine: Bool {
      if kind == Self.inbox { return true }
      if let host = texts["host"] { return Host.isLoopback(host) }
      let address = (texts["url"] ?? texts["endpoint"]).flatMap { WebAddress(parsing: $0) }
      return address?.isLoopback ?? false
    }

    public var allowsPlaintext: Bool { flags[Self.allowPlaintext] == true }
  }

  /// Who the server says it is, without a trailing slash.
  ///
  /// In development it may be absent: then it is the address the server listens on.
  public var issuer: String?
  public var listen = ListenAddress.standard
  /// Metrics tell which accounts exist, so they have a listener of their own.
  public var metricsListen = ListenAddress.standardMetrics
  public var tls: TLS?
  public var store = StoreLocation.sqlite(directory: ".data")
  public var organizations: [Organization] = []
  public var clients: [AppClient] = []
  public var serviceAccounts: [ServiceAccount] = []
  public var changeWebhooks: [ChangeWebhook] = []
  public var messengers: [Messenger] = []
  public var prices: [Price] = []
  /// Whose word is taken for where a request came from (`X-Forwarded-For`).
  public var trustedProxies: [NetworkAddress] = []
  /// Open connections of one network address that is no trusted proxy.
  public var connectionsPerAddress = Configuration.standardConnectionsPerAddress
  /// A file of SHA-1 digests of breached passwords, none of which may be chosen.
  public var breachedPasswordsFile: String?
  /// How many days the security log is kept.
  public var eventDays = Configuration.standardEventDays

  /// A year, and time to ask for it.
  public static let standardEventDays: Int64 = 400
  static let eventDayLimits: ClosedRange<Int64> = 30...3650

  /// A network that many people share, such as a mobile carrier's, shows one address for all.
  public static let standardConnectionsPerAddress: Int64 = 1024
  static let connectionLimits: ClosedRange<Int64> = 16...1_000_000

  public init() {}

  /// The host that people and apps reach the server at; nil without an issuer.
  public var issuerHost: String? { issuer.flatMap(WebAddress.init(parsing:))?.host }

  /// What an operator has allowed on purpose and should be reminded of at every start.
  public var warnings: [String] {
    var warnings: [String] = []
    if messengers.isEmpty {
      warnings.append("no messenger is configured: no code can be sent")
    } else if messengers.allSatisfy({ $0.kind == Messenger.mail }) {
      warnings.append("only e-mail is configured, which carries no codes: no code can be sent")
    }
    for messenger in messengers
    where messenger.allowsPlaintext && messenger.isReadableOnTheWay {
      warnings.append(
        "messenger \(messenger.name) sends codes and its password unencrypted to another machine; "
          + "set tls, or be sure that the way to it is private"
      )
    }
    for client in clients where client.code.digits < AppClient.strongCodeDigits {
      warnings.append(
        "codes of \(client.id.text) have only \(client.code.digits) digits; "
          + "remove allow_weak_codes to go back to \(AppClient.strongCodeDigits)"
      )
    }
    for client in clients {
      for scope in client.scopes where Scope(rawValue: scope) == nil {
        warnings.append(
          "`\(scope)` in the scopes of \(client.id.text) opens no route of this server; leave it "
            + "only if an API of your own needs it"
        )
      }
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
    if tls?.allowsTLS12 == true {
      warnings.append("TLS 1.2 is allowed; remove allow_tls_1_2 once no device needs it")
    }
    return warnings
  }
}
