public import SignInModel

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
  public let fields: [(name: String, value: String)] = [("Accept", "application/json")]
  /// The value of the `Authorization` field.
  public var authorization: Secret?
  /// The form of a `POST`; nil for a `GET`.
  public var form: Secret?
  /// The JSON body of a `POST`; nil for a form or a `GET`.
  public var json: String?
  /// From the call to the last byte of the answer.
  public let deadlineMilliseconds: Int64
  /// Where the call may go, as the configuration of the provider permits.
  public let addresses: ProviderAddresses
}

/// The addresses that the calls to a provider may connect to.
///
/// Link-local addresses are never permitted. In development, this machine always is.
public enum ProviderAddresses: Equatable, Sendable, CaseIterable {
  /// Addresses that are reachable from the whole internet.
  case `public`
  /// Public addresses, private networks, and the proxy of the environment.
  case `private`
  /// Those of `private`, and this machine.
  case privateAndLoopback
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
