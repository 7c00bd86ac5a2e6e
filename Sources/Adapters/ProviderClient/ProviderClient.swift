import HTTPClient
public import SignInService

/// Calls identity providers through libcurl.
///
/// Its pools are separate from those of the messengers, so that a provider that does not answer
/// delays no text message.
public final class ProviderClient: ProviderCalls {
  /// The largest number of calls at the same time, for each of the two pools.
  public static let callLimit = 128

  private let checked: OutboundCalls
  /// For providers whose configuration allows private addresses.
  private let unchecked: OutboundCalls

  /// - Parameter isDevelopment: Whether providers may be on this machine.
  public init(isDevelopment: Bool) {
    checked = OutboundCalls(
      callLimit: Self.callLimit, addresses: isDevelopment ? .publicAndLoopback : .public)
    unchecked = OutboundCalls(callLimit: Self.callLimit)
  }

  public func send(
    _ request: ProviderRequest
  ) async throws(ProviderCallFault) -> ProviderResponse {
    var outbound = OutboundRequest(
      request.form == nil ? .get : .post, request.url, fields: request.fields,
      deadlineMilliseconds: request.deadlineMilliseconds)
    if let form = request.form {
      outbound.fields.append(("Content-Type", "application/x-www-form-urlencoded"))
      outbound.body = Array(form.utf8)
    }
    let calls = request.allowsPrivateAddresses ? unchecked : checked
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

  /// Ends every call.
  public func stop() {
    checked.stop()
    unchecked.stop()
  }
}
