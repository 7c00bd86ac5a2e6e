import HTTPServer
public import SignInModel

/// The proxies whose word is taken for where a request came from.
///
/// Anybody can write `X-Forwarded-For`; only what a trusted proxy appended to it is true. So the
/// list is read from its end, as long as those who wrote it are trusted.
public struct TrustedProxies: Equatable, Sendable {
  public static let none = TrustedProxies([])

  private let addresses: Set<NetworkAddress>

  public init(_ addresses: [NetworkAddress]) { self.addresses = Set(addresses) }

  /// The address of whoever asked, as text.
  func caller(of request: HTTPRequest) -> String {
    guard trusts(request.peer) else { return request.peer }
    let hops = request.values(of: "x-forwarded-for")
      .flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { hop in String(hop.drop { $0 == " " }.prefix { $0 != " " }) }
    var caller = request.peer
    for hop in hops.reversed() {
      // What is no address was not written by a proxy: its writer is the last one known.
      guard parsed(hop) != nil else { break }
      caller = hop
      guard trusts(hop) else { break }
    }
    return caller
  }

  private func trusts(_ text: String) -> Bool {
    parsed(text).map { addresses.contains($0) } ?? false
  }

  private func parsed(_ text: String) -> NetworkAddress? {
    do throws(Malformed) { return try NetworkAddress(parsing: text) } catch { return nil }
  }
}
