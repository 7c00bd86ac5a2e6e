public import SignInModel
import SignInRules

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
  }

  /// Who the server says it is, without a trailing slash.
  ///
  /// In development it may be absent: then it is the address the server listens on.
  public var issuer: String?
  public var listen = ListenAddress.standard
  public var tls: TLS?
  public var store = StoreLocation.sqlite(directory: ".data")
  public var organizations: [Organization] = []
  public var clients: [AppClient] = []
  public var messengers: [Messenger] = []
  public var prices: [Price] = []
  /// Whose word is taken for where a request came from (`X-Forwarded-For`).
  public var trustedProxies: [NetworkAddress] = []
  /// How many days the security log is kept.
  public var eventDays = Configuration.standardEventDays

  /// A year, and time to ask for it.
  public static let standardEventDays: Int64 = 400
  static let eventDayLimits: ClosedRange<Int64> = 30...3650

  public init() {}

  /// What an operator has allowed on purpose and should be reminded of at every start.
  public var warnings: [String] {
    var warnings: [String] = []
    if messengers.isEmpty {
      warnings.append("no messenger is configured: nobody can be sent a code")
    }
    for client in clients where client.code.digits < AppClient.strongCodeDigits {
      warnings.append(
        "codes of \(client.id.text) have only \(client.code.digits) digits; "
          + "remove allow_weak_codes to go back to \(AppClient.strongCodeDigits)"
      )
    }
    if tls?.allowsTLS12 == true {
      warnings.append("TLS 1.2 is allowed; remove allow_tls_1_2 once no device needs it")
    }
    return warnings
  }
}
