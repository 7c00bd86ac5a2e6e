public import SignInModel

/// Reads a provider's receipts for messages, after it has verified the sender.
public protocol ReceiptReader: Sendable {
  func read(_ post: ReceiptPost) -> ReceiptReading
}

/// A provider's HTTP request, as it was received.
public struct ReceiptPost: Sendable {
  /// The public URL that the provider called, with its query.
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

  /// The value of a header that occurs exactly once; nil for any other header.
  public func field(_ name: StaticString) -> String? {
    let values = fields(name)
    return values.count == 1 ? values.first : nil
  }
}

public enum ReceiptReading: Equatable, Sendable {
  case reports([DeliveryReport])
  /// The provider checks that this address is ours before it sends receipts.
  case handshake(answer: [UInt8])
  /// The sender could not be verified, so the content was not read.
  case unproved
  case malformed
}

/// The receipt for one message.
public struct DeliveryReport: Equatable, Sendable {
  /// The identifier that the messenger gave the message.
  public let reference: String
  public let outcome: OutboxMessage.Receipt
  /// In millionths of the operator's currency.
  ///
  /// It is nil if no price, or no valid price, was reported.
  public let price: Int64?

  public static let prices = Configuration.Price.range

  public init(reference: String, outcome: OutboxMessage.Receipt, price: Int64? = nil) {
    self.reference = reference
    self.outcome = outcome
    self.price = price.flatMap { Self.prices.contains($0) ? $0 : nil }
  }
}
