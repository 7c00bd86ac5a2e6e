public import SignInModel

/// The origin of a request, for the security log.
public struct Caller: Equatable, Sendable {
  public let client: ClientID?
  /// The network address without its port; nil for a call that did not use a network.
  public let peer: String?
  /// The RFC 7638 thumbprint of the key that the device proved, if it proved one.
  public let proofKeyThumbprint: String?

  public init(client: ClientID?, peer: String?, proofKeyThumbprint: String?) {
    self.client = client
    self.peer = peer
    let isProved = proofKeyThumbprint.map { !$0.isEmpty && !UnboundDevice.isNamed($0) }
    self.proofKeyThumbprint = isProved == true ? proofKeyThumbprint : nil
  }
}
