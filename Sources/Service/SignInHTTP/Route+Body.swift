import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// Performs a request that must be performed only once for each `Idempotency-Key`.
  ///
  /// `parse` reads the body, `act` performs the use case, and `answer` turns the result into a
  /// response.
  static func withBody<Input: Sendable, Value: Sendable>(
    _ call: Call, _ access: Access, _ parse: (JSON) throws(Refusal) -> Input,
    act: (Input, IdempotencyKey?) async throws(Refusal) -> Value, answer: (Value) -> HTTPResponse
  ) async throws(Refusal) -> HTTPResponse {
    let once = try readOnceOnly(call, access)
    let input = try parse(try call.body())
    let value = try await act(input, once)
    return answer(value)
  }

  /// The request's `Idempotency-Key`: visible ASCII characters, at most one header field.
  ///
  /// The organization of the session and the query are parts of the request, because the same bytes
  /// mean another record in another organization.
  static func readOnceOnly(_ call: Call, _ access: Access) throws(Refusal) -> IdempotencyKey? {
    let keys = call.request.values(of: "idempotency-key")
    guard let key = keys.first else { return nil }
    let bytes = key.utf8
    guard keys.count == 1, (1...IdempotencyKey.keyByteLimit).contains(bytes.count),
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw Refusal.invalidRequest(
        "one Idempotency-Key of 1 to \(IdempotencyKey.keyByteLimit) characters")
    }
    let organization = access.session.organization?.text ?? ""
    let target = call.request.path + call.request.suffix
    let operation = "\(call.request.method.rawValue) \(target)\n\(organization)\n"
    return IdempotencyKey(
      owner: access.account.id, key: key, request: Array(operation.utf8) + call.request.body)
  }
}
