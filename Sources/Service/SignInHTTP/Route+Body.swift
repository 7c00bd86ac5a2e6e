import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// Performs a request that must be performed only once for each `Idempotency-Key`.
  ///
  /// `parse` reads the body, `act` performs the use case, and `answer` turns the result into a
  /// response.
  static func withBody<Input: Sendable, Value: Sendable>(
    _ call: Call, _ access: Access, _ parse: (JSONBody) throws(JSONBody.Wrong) -> Input,
    act: (Input, IdempotencyKey?) async -> Outcome<Value>, answer: (Value) -> HTTPResponse
  ) async -> HTTPResponse {
    let once: IdempotencyKey?
    switch readOnceOnly(call, owner: access.account.id) {
    case .success(let read): once = read
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
    switch JSONBody.read(call, parse) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let input):
      switch await act(input, once) {
      case .success(let value): return answer(value)
      case .refusal(let refusal): return .dataRefusal(refusal)
      }
    }
  }

  /// The request's `Idempotency-Key`: visible ASCII characters, at most one header field.
  static func readOnceOnly(_ call: Call, owner: AccountID) -> Outcome<IdempotencyKey?> {
    let keys = call.request.values(of: "idempotency-key")
    guard let key = keys.first else { return .success(nil) }
    let bytes = key.utf8
    guard keys.count == 1, (1...IdempotencyKey.keyByteLimit).contains(bytes.count),
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      return .refusal(ErrorAnswer(.invalidRequest, "one Idempotency-Key of 1 to 255 characters"))
    }
    let operation = Array("\(call.request.method.rawValue) \(call.request.path)\n".utf8)
    return .success(IdempotencyKey(owner: owner, key: key, request: operation + call.request.body))
  }
}
