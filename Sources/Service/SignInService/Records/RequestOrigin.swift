/// Where a request came from.
public struct RequestOrigin: Equatable, Sendable {
  /// The network address of whoever asked, as text; of the trusted proxy's caller where there is
  /// one.
  ///
  /// Empty when nobody asked over a network.
  public let address: String
  /// RFC 7638 thumbprint of the key that the request was proved with.
  public let proofKeyThumbprint: String?

  public init(address: String, proofKeyThumbprint: String?) {
    self.address = address
    self.proofKeyThumbprint = proofKeyThumbprint
  }

  /// The server itself, or its operator at a shell.
  public static let local = RequestOrigin(address: "", proofKeyThumbprint: nil)
}
