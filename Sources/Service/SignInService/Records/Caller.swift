public import SignInModel

/// Where a request came from, for the security log.
public struct Caller: Equatable, Sendable {
  public let client: ClientID?
  /// The network address without its port; nil when no network was between.
  public let peer: String?
  /// RFC 7638 thumbprint of the key the device proved, if it did.
  public let proofKeyThumbprint: String?

  public init(client: ClientID?, peer: String?, proofKeyThumbprint: String?) {
    self.client = client
    self.peer = peer
    let isProved = proofKeyThumbprint.map { !$0.isEmpty && !UnboundDevice.isNamed($0) }
    self.proofKeyThumbprint = isProved == true ? proofKeyThumbprint : nil
  }
}
