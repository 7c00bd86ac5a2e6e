public import HTTPClient
public import SignInModel
public import SignInService
import SignInWire

/// A messenger that operators can configure.
///
/// It declares its configuration keys and is created from them.
protocol ConfiguredMessenger: TextMessenger {
  static var kind: MessengerKind { get }

  init(_ order: MessengerSetup) throws(MessengerMistake)

  /// Finds mistakes in an order without connecting to the provider.
  static func check(_ order: MessengerSetup) throws(MessengerMistake)
}

extension ConfiguredMessenger {
  static func check(_ order: MessengerSetup) throws(MessengerMistake) {
    _ = try Self(order)
  }
}

/// All kinds of messengers.
///
/// To add a provider, add a file beside this one and add its type to `types`.
public enum MessengerKinds {
  private static let types: [any ConfiguredMessenger.Type] = [
    AzureMessenger.self, AWSMessenger.self, TwilioMessenger.self, WebhookMessenger.self,
    SMPPMessenger.self, VoiceMessenger.self,
    SMTPMessenger.self,
  ]

  /// The configuration keys of each kind.
  public static let all = types.map { $0.kind }

  /// Finds mistakes in the configuration of a messenger without connecting to the provider.
  public static func check(_ order: MessengerSetup) throws(MessengerMistake) {
    try types.first { $0.kind.name == order.kind }?.check(order)
  }

  /// Creates the messenger that a configuration describes; `nil` if this version has no messenger
  /// of this kind.
  public static func make(
    _ order: MessengerSetup
  ) throws(MessengerMistake) -> (any TextMessenger)? {
    try types.first { $0.kind.name == order.kind }?.init(order)
  }
}

/// The values from which a messenger is created: its part of the configuration, its secret, and
/// access to the network and the clock.
public struct MessengerSetup: Sendable {
  let settings: Configuration.Messenger
  private let storedSecret: Secret?
  /// `nil` if the provider cannot reach this server.
  private let issuer: String?
  let calls: OutboundCalls
  let clock: any Clock
  /// Accepts reports from messengers that receive them on their own connection.
  let report: @Sendable (DeliveryReport) -> Void

  public init(
    _ settings: Configuration.Messenger, secret storedSecret: Secret?, issuer: String?,
    calls: OutboundCalls, clock: any Clock, report: @escaping @Sendable (DeliveryReport) -> Void
  ) {
    self.settings = settings
    self.storedSecret = storedSecret
    self.issuer = issuer
    self.calls = calls
    self.clock = clock
    self.report = report
  }

  public var name: String { settings.name }
  public var kind: String { settings.kind }

  /// The address to which the provider posts receipts; `nil` if the provider cannot reach this
  /// server.
  var receiptsURL: String? { issuer.map { $0 + Endpoint.messageReceipts(.init(name)).path } }

  var texts: [String: String] { settings.texts }

  func text(_ key: String) throws(MessengerMistake) -> String {
    guard let text = settings.texts[key] else {
      throw MessengerMistake(key: key, problem: "is missing", remedy: "write it")
    }
    return text
  }

  var hasSecret: Bool { storedSecret != nil }

  func secret() throws(MessengerMistake) -> Secret {
    guard let storedSecret else {
      throw MessengerMistake(key: "secret", problem: "is missing", remedy: "name its file")
    }
    return storedSecret
  }
}

/// A mistake in a messenger's part of the configuration that is found only when the messenger is
/// checked or created.
public struct MessengerMistake: Error, Equatable, Sendable {
  public let key: String
  /// The rest of a sentence that begins with the key.
  public let problem: String
  /// How to correct the mistake, as an imperative.
  public let remedy: String
}
