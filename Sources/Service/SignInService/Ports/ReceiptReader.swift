public import SignInModel

/// Reads what a provider reports about the messages it took, once it is sure who reports.
public protocol ReceiptReader: Sendable {
  func read(_ post: ReceiptPost) -> ReceiptReading
}

/// A provider's call, as it came in.
public struct ReceiptPost: Sendable {
  /// The address the provider called, as the world knows it, with its query.
  public let url: String
  public let query: String
  public let body: [UInt8]
  public let receivedAt: Instant
  private let fields: @Sendable (StaticString) -> [String]

  public init(
    url: String, query: String, body: [UInt8], receivedAt: Instant,
    fields: @escaping @Sendable (StaticString) -> [String]
  ) {
    self.url = url
    self.query = query
    self.body = body
    self.receivedAt = receivedAt
    self.fields = fields
  }

  /// The value of a header that stands once.
  public func field(_ name: StaticString) -> String? {
    let values = fields(name)
    return values.count == 1 ? values.first : nil
  }
}

public enum ReceiptReading: Equatable, Sendable {
  case reports([DeliveryReport])
  /// The provider asks whether this address is ours before it reports anything.
  case handshake(answer: [UInt8])
  /// Nobody knows who sent it: nothing of it was looked at.
  case unproved
  case malformed
}

/// What became of one message.
public struct DeliveryReport: Equatable, Sendable {
  /// What the messenger calls the message.
  public let reference: String
  public let outcome: OutboxMessage.Receipt
  /// In millionths of the operator's currency; nil when none is reported that a message can have.
  public let price: Int64?

  public static let prices = AppClient.Limits.price

  public init(reference: String, outcome: OutboxMessage.Receipt, price: Int64? = nil) {
    self.reference = reference
    self.outcome = outcome
    self.price = price.flatMap { Self.prices.contains($0) ? $0 : nil }
  }
}
