import HTTPClient
import SignInModel
public import SignInService
import Synchronization

/// Calls identity providers through libcurl.
///
/// Its pools are separate from those of the messengers, so that a provider that does not answer
/// delays no text message.
public final class ProviderClient: ProviderCalls {
  /// The largest number of calls at the same time, for each of the pools.
  public static let callLimit = 128
  /// The largest number of calls to one server at the same time.
  ///
  /// A provider that does not answer must not use up the calls of the others.
  public static let serverCallLimit = 32

  /// One for each set of addresses, because a pool uses its connections again.
  private let `public`: OutboundCalls
  private let `private`: OutboundCalls
  private let privateAndLoopback: OutboundCalls
  /// The running calls by scheme, host and port.
  private let running = Mutex<[String: Int]>([:])

  /// - Parameter isDevelopment: Whether providers may be on this machine.
  public init(isDevelopment: Bool) {
    func calls(to addresses: PeerAddresses) -> OutboundCalls {
      OutboundCalls(callLimit: Self.callLimit, addresses: addresses)
    }
    `public` = calls(to: isDevelopment ? .publicAndLoopback : .public)
    `private` = calls(to: isDevelopment ? .privateAndLoopback : .private)
    privateAndLoopback = calls(to: .privateAndLoopback)
  }

  public func send(
    _ request: ProviderRequest
  ) async throws(ProviderCallFault) -> ProviderResponse {
    var outbound = OutboundRequest(
      request.form == nil && request.json == nil ? .get : .post, request.url,
      fields: request.fields, deadlineMilliseconds: request.deadlineMilliseconds)
    if let authorization = request.authorization {
      outbound.fields.append(("Authorization", authorization.revealed))
    }
    if let form = request.form {
      outbound.fields.append(("Content-Type", "application/x-www-form-urlencoded"))
      outbound.body = Array(form.revealed.utf8)
    } else if let json = request.json {
      outbound.fields.append(("Content-Type", "application/json"))
      outbound.body = Array(json.utf8)
    }
    let server = Self.server(of: request.url)
    guard begin(server) else { throw ProviderCallFault("too many open requests to this server") }
    defer { end(server) }
    let calls = calls(to: request.addresses)
    do throws(OutboundFault) {
      let answer = try await calls.send(outbound)
      return ProviderResponse(status: answer.status, body: answer.body)
    } catch {
      switch error {
      case .notSent(let why), .unanswered(let why): throw ProviderCallFault(why)
      case .late: throw ProviderCallFault("no answer in time")
      }
    }
  }

  private func calls(to addresses: ProviderAddresses) -> OutboundCalls {
    switch addresses {
    case .public: `public`
    case .private: `private`
    case .privateAndLoopback: privateAndLoopback
    }
  }

  private func begin(_ server: String) -> Bool {
    running.withLock { running in
      let count = running[server] ?? 0
      guard count < Self.serverCallLimit else { return false }
      running[server] = count + 1
      return true
    }
  }

  private func end(_ server: String) {
    running.withLock { running in
      let count = (running[server] ?? 1) - 1
      running[server] = count > 0 ? count : nil
    }
  }

  /// The part of a URL before its path.
  static func server(of url: String) -> String {
    url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
      .joined(separator: "/").lowercased()
  }

  /// Ends every call.
  public func stop() {
    for calls in [`public`, `private`, privateAndLoopback] { calls.stop() }
  }
}
