public import HTTPClient
public import SignInModel
public import SignInService
import SignInWire

/// A messenger that operators configure: it says by which keys, and is made of them.
protocol ConfiguredMessenger: TextMessenger {
  static var kind: MessengerKind { get }

  init(_ order: MessengerOrder) throws(MessengerMistake)

  /// Finds what is wrong with an order, and connects to nothing.
  static func check(_ order: MessengerOrder) throws(MessengerMistake)
}

extension ConfiguredMessenger {
  static func check(_ order: MessengerOrder) throws(MessengerMistake) {
    _ = try Self(order)
  }
}

/// Every kind of messenger there is.
///
/// Another provider is one more file beside this one, and its name here.
public enum MessengerKinds {
  private static let types: [any ConfiguredMessenger.Type] = [
    AzureMessenger.self, AWSMessenger.self, TwilioMessenger.self, WebhookMessenger.self,
    SMPPMessenger.self, VoiceMessenger.self,
    SMTPMessenger.self,
  ]

  /// What a configuration may say of them.
  public static let all = types.map { $0.kind }

  /// Finds what is wrong with the messenger a configuration describes, and connects to nothing.
  public static func check(_ order: MessengerOrder) throws(MessengerMistake) {
    try types.first { $0.kind.name == order.kind }?.check(order)
  }

  /// Makes the messenger a configuration describes; nil when this version has none of the kind.
  public static func make(
    _ order: MessengerOrder
  ) throws(MessengerMistake) -> (any TextMessenger)? {
    try types.first { $0.kind.name == order.kind }?.init(order)
  }
}

/// What a messenger is made of: its part of the configuration, its secret, and the outside.
public struct MessengerOrder: Sendable {
  public let name: String
  public let kind: String
  let settings: Configuration.Messenger
  private let read: Secret?
  /// Where the provider posts its receipts; nil where it cannot reach us.
  let receiptsURL: String?
  /// Takes reports of messengers that hear of them by themselves.
  let report: @Sendable (DeliveryReport) -> Void
  let calls: OutboundCalls
  let clock: any Clock

  public init(
    _ messenger: Configuration.Messenger, secret: Secret?, issuer: String?, calls: OutboundCalls,
    clock: any Clock, report: @escaping @Sendable (DeliveryReport) -> Void
  ) {
    name = messenger.name
    kind = messenger.kind
    settings = messenger
    read = secret
    receiptsURL = issuer.map { $0 + Endpoint.receipts(of: messenger.name) }
    self.report = report
    self.calls = calls
    self.clock = clock
  }

  var texts: [String: String] { settings.texts }

  func text(_ key: String) throws(MessengerMistake) -> String {
    guard let text = settings.texts[key] else {
      throw MessengerMistake(key: key, problem: "is missing", remedy: "write it")
    }
    return text
  }

  var hasSecret: Bool { read != nil }

  func secret() throws(MessengerMistake) -> Secret {
    guard let read else {
      throw MessengerMistake(key: "secret", problem: "is missing", remedy: "name its file")
    }
    return read
  }
}

/// What is wrong with a messenger's part of the configuration, found only when it is put to use.
public struct MessengerMistake: Error, Equatable, Sendable {
  public let key: String
  /// The rest of a sentence that begins with the key.
  public let problem: String
  /// What would be right, as a command.
  public let remedy: String
}
