/// Calls identity providers, in a pool of their own, so that a slow provider delays no messages.
public protocol ProviderCalls: Sendable {
  /// Sends a request.
  ///
  /// A redirect is an ordinary answer and is never followed. An answer that is too long is a fault.
  func send(_ request: ProviderRequest) async throws(ProviderCallFault) -> ProviderResponse
}

/// One request to an identity provider.
public struct ProviderRequest: Sendable {
  public let url: String
  public var fields: [(name: String, value: String)] = [("Accept", "application/json")]
  /// The form of a `POST`; nil for a `GET`.
  public var form: String?
  /// The JSON body of a `POST`; nil for a form or a `GET`.
  public var json: String?
  /// From the call to the last byte of the answer.
  public let deadlineMilliseconds: Int64
  /// Whether the address may be private, as the configuration of the provider permits.
  public let allowsPrivateAddresses: Bool

  public init(url: String, deadlineMilliseconds: Int64, allowsPrivateAddresses: Bool) {
    self.url = url
    self.deadlineMilliseconds = deadlineMilliseconds
    self.allowsPrivateAddresses = allowsPrivateAddresses
  }
}

/// A complete answer of an identity provider.
public struct ProviderResponse: Sendable {
  public let status: Int
  public let body: [UInt8]

  public init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }
}

/// The reason why there is no answer.
///
/// The text is for the log and contains no part of the request.
public struct ProviderCallFault: Error, Equatable, Sendable {
  public let why: String

  public init(_ why: String) { self.why = why }
}
