import HTTPClient
public import SignInClient

/// Requests through libcurl, with nothing cached, no cookie kept and no redirect followed.
///
/// A request that waits for its answer costs nothing, so that news may be waited for all day.
public struct CurlTransport: Transport {
  private let calls = OutboundCalls()
  private let hasNetwork: @Sendable () -> Bool

  public init() { self.init { RoutingTable.system.leadsAnywhere } }

  init(hasNetwork: @escaping @Sendable () -> Bool) { self.hasNetwork = hasNetwork }

  public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportReply {
    guard let method = OutboundRequest.Method(rawValue: request.method) else { throw .unreachable }
    let outbound = OutboundRequest(
      method, request.address, fields: request.fields.map { ($0.name, $0.value) },
      body: request.body, deadlineMilliseconds: request.timeoutSeconds * 1000
    )
    do throws(OutboundFault) {
      let answer = try await calls.send(outbound)
      return TransportReply(
        status: Int64(answer.status), body: answer.body, date: answer.value(of: "date"),
        nonce: answer.value(of: "dpop-nonce")
      )
    } catch {
      if Self.needsNetwork(request.address), !hasNetwork() { throw .noNetwork }
      if case .late = error { throw .timedOut }
      throw .unreachable
    }
  }

  /// False for the device itself, which can be reached without a network.
  private static func needsNetwork(_ address: String) -> Bool {
    do throws(ServerAddressFault) {
      let server = try ServerAddress(address)
      return !server.isLoopback
    } catch {
      return true
    }
  }
}
