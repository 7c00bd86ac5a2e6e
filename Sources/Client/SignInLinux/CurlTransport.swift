package import Foundation
import HTTPClient
import SignInClient

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Sends requests with libcurl, without a cache, cookies and redirects.
///
/// A waiting request uses no processor time, so a request may wait for hours for an account
/// update.
package struct CurlTransport: SignInClient.Transport {
  private let calls = OutboundCalls()
  private let hasNetwork: @Sendable () -> Bool

  package init() { self.init { RoutingTable.system.hasOutboundRoute } }

  init(hasNetwork: @escaping @Sendable () -> Bool) { self.hasNetwork = hasNetwork }

  package func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    guard let url = request.url,
      let method = OutboundRequest.Method(rawValue: request.httpMethod ?? "GET")
    else { throw URLError(.unsupportedURL) }
    let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    let outbound = OutboundRequest(
      method, url.absoluteString, fields: fields.map { ($0.key, $0.value) },
      body: [UInt8](request.httpBody ?? Data()),
      deadlineMilliseconds: Self.milliseconds(request.timeoutInterval)
    )
    let answer = try await answer(to: outbound, at: url)
    let response = HTTPURLResponse(
      url: url, statusCode: answer.status, httpVersion: nil, headerFields: answer.fields)
    guard let response else { throw URLError(.badServerResponse) }
    return (Data(answer.body), response)
  }

  private func answer(to request: OutboundRequest, at url: URL) async throws -> OutboundAnswer {
    do throws(OutboundFault) { return try await calls.send(request) } catch {
      if Self.needsNetwork(url), !hasNetwork() { throw URLError(.notConnectedToInternet) }
      if case .late = error { throw URLError(.timedOut) }
      throw URLError(.cannotConnectToHost)
    }
  }

  private static func milliseconds(_ seconds: TimeInterval) -> Int64 {
    Int64((seconds.isFinite ? min(max(seconds, 0), 86_400) : 60) * 1000)
  }

  /// Whether a network is needed, which is `false` for a server on this device.
  private static func needsNetwork(_ url: URL) -> Bool {
    do throws(ServerAddressFault) {
      let server = try ServerAddress(url.absoluteString)
      return !server.isLoopback
    } catch {
      return true
    }
  }
}
