public import JSONText

/// A request of a screen to the server for the signed-in account.
///
/// The session adds its token, renews it first if necessary, and delivers the answer.
///
/// A home calls `FlowContext.ask`, and waits for `Event.answered` with the number that it got.
public struct APIRequest: Equatable, Sendable {
  /// In seconds: long enough for a slow network, and short enough to tell the person soon.
  static let usualTimeoutSeconds: Int64 = 30

  let method: Call.Method
  let path: String
  var body = Call.Body.none
  /// Makes it safe to send the request twice: the server acts once and gives the same answer again.
  var idempotencyKey: String?
  /// The ETag of the version that was read, so that the change of another person is not overwritten
  /// (RFC 9110, section 13.1.1).
  var ifMatch: String?
  /// The name of the file that the shell saves the body of a successful answer as.
  ///
  /// The body may be long and no screen shows it, so the core does not get it.
  var fileName: String?
  var timeoutSeconds = APIRequest.usualTimeoutSeconds

  public static func get(_ path: String) -> APIRequest { APIRequest(method: .get, path: path) }

  /// A request that saves the body of its answer as a file.
  static func file(_ path: String, as name: String, timeoutSeconds: Int64) -> APIRequest {
    var request = APIRequest(method: .get, path: path)
    request.fileName = name
    request.timeoutSeconds = timeoutSeconds
    return request
  }

  public static func post(_ path: String, _ body: JSON, idempotencyKey: String) -> APIRequest {
    APIRequest(method: .post, path: path, body: .json(body), idempotencyKey: idempotencyKey)
  }

  /// A request without an idempotency key, for a body of which the server must store nothing.
  public static func post(_ path: String, _ body: JSON) -> APIRequest {
    APIRequest(method: .post, path: path, body: .json(body))
  }

  public static func patch(
    _ path: String, _ body: JSON, idempotencyKey: String, ifMatch: String? = nil
  ) -> APIRequest {
    APIRequest(
      method: .patch, path: path, body: .json(body), idempotencyKey: idempotencyKey,
      ifMatch: ifMatch
    )
  }

  public static func delete(_ path: String) -> APIRequest {
    APIRequest(method: .delete, path: path)
  }
}
