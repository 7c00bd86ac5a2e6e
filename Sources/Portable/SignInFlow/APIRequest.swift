public import JSONText

/// What a screen asks of the server for the person signed in: the session adds its token, renews it
/// first where it must, and brings the answer.
///
/// A home asks with `FlowContext.ask` and waits for `Event.answered` with the number it got.
public struct APIRequest: Equatable, Sendable {
  /// Long enough for a slow network, short enough to say so.
  static let usualTimeoutSeconds: Int64 = 30

  let method: Call.Method
  let path: String
  var body = Call.Body.none
  /// Makes it safe to send twice: the server does it once and gives the same answer again.
  var idempotencyKey: String?
  /// The tag of what was read: somebody else's change is not written over (RFC 9110, 13.1.1).
  var ifMatch: String?
  /// The name of the file that the body of a success is saved as, in place of being handed over:
  /// it may be long, and is not for the screen.
  var fileName: String?
  var timeoutSeconds = APIRequest.usualTimeoutSeconds

  public static func get(_ path: String) -> APIRequest { APIRequest(method: .get, path: path) }

  /// Reads a body that is saved as a file.
  static func file(_ path: String, as name: String, timeoutSeconds: Int64) -> APIRequest {
    var request = APIRequest(method: .get, path: path)
    request.fileName = name
    request.timeoutSeconds = timeoutSeconds
    return request
  }

  public static func post(_ path: String, _ body: JSON, idempotencyKey: String) -> APIRequest {
    APIRequest(method: .post, path: path, body: .json(body), idempotencyKey: idempotencyKey)
  }

  /// Without an idempotency key, for a body of which the server must keep nothing.
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
