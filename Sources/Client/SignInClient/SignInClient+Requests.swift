public import Foundation
import JSONText
import SignInEngine
import SignInModel
import SignInWire

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension SignInClient {
  /// The answer of the server, which can be a refusal.
  public struct Response: Sendable {
    public let status: Int
    /// The body as it was received, or empty if the answer has none.
    public let data: Data
    /// The header fields.
    ///
    /// The case of the names depends on the platform, so read them with
    /// `value(forHTTPHeaderField:)`.
    public let headers: [String: String]

    /// A header field, such as `ETag` or `Content-Type`.
    ///
    /// The case of the name does not matter.
    public func value(forHTTPHeaderField name: String) -> String? {
      headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }

    /// Decodes a body of JSON.
    public func decode<Value: Decodable>(
      _ type: Value.Type, with decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
      try decoder.decode(type, from: data)
    }
  }

  /// Sends a request to the Fieldpass server on behalf of the person.
  ///
  /// The access token is renewed first if necessary.
  ///
  /// - Parameters:
  ///   - path: A path of the Fieldpass server with its query, such as `/api/me`. It begins with a
  ///     slash.
  ///   - method: `GET`, `POST`, `PATCH` or `DELETE`.
  ///   - body: JSON, for `POST` and `PATCH`.
  ///   - idempotencyKey: The server runs requests with the same key only once. Without it, each
  ///     `POST` and `PATCH` gets its own key.
  ///   - ifMatch: The version tag of the data that you read, so that a later change by others is
  ///     not overwritten.
  /// - Returns: The answer of the server. It can be a refusal.
  /// - Throws: `.noConnection`, `.serviceUnreachable` or `.noAnswerInTime` if no answer arrived,
  ///   and `.requestMalformed` for another path or method, or a body that is not JSON. If the
  ///   session ends before the answer arrives, the error is the reason of the end.
  public func request(
    _ path: String, method: String = "GET", body: Data? = nil, idempotencyKey: String? = nil,
    ifMatch: String? = nil
  ) async throws(SignInError) -> Response {
    guard path.hasPrefix("/") else { throw .requestMalformed }
    let json = try body.map { (data) throws(SignInError) in try Self.json(data) }
    var request: APIRequest
    switch (Call.Method(rawValue: method), json) {
    case (.get?, nil): request = APIRequest(.get, path: path)
    case (.delete?, nil): request = APIRequest(.delete, path: path)
    case (.post?, _):
      request = APIRequest(.post, path: path, body: json ?? .object([]))
      request.idempotencyKey = idempotencyKey ?? UUID().uuidString
    case (.patch?, let json?):
      request = APIRequest(.patch, path: path, body: json)
      request.idempotencyKey = idempotencyKey ?? UUID().uuidString
      request.ifMatch = ifMatch
    case (.get?, _?), (.delete?, _?), (.patch?, nil), (nil, _): throw .requestMalformed
    }
    let reply = try await reply(to: request)
    if let response = reply.response { return response }
    switch reply.content {
    case .answer(.timedOut): throw .noAnswerInTime
    case .answer(.noNetwork): throw .noConnection
    case .answer(.unreachable): throw .serviceUnreachable
    case .answer(.received), .answer(.onDevice), .token, .result: throw .serverFault
    }
  }

  private static func json(_ data: Data) throws(SignInError) -> JSON {
    do throws(JSONMalformed) { return try JSONReader.read([UInt8](data)) } catch {
      throw .requestMalformed
    }
  }

  // MARK: Your own servers

  /// An access token that is valid for at least half a minute.
  ///
  /// It is renewed first if necessary.
  ///
  /// The token is bound to the key of this device, so it needs a proof. `authorize(_:nonce:)` adds
  /// both to a request.
  public func accessToken() async throws(SignInError) -> String { try await freshToken().revealed }

  /// Adds the access token and a proof to a request for your own server (RFC 9449).
  ///
  /// It sets the HTTP fields `Authorization` and `DPoP`. The proof is valid once, for this method
  /// and URL. So authorize each request separately, and authorize it again before each retry. Do
  /// not send these fields to another server after a redirect.
  ///
  /// - Parameters:
  ///   - request: A request with its final method and URL.
  ///   - nonce: The `DPoP-Nonce` in the last answer of your server, if there was one.
  /// - Throws: `SignInError.addressNotAllowed` for a URL without `https` that is not on this
  ///   device, and `.storageUnavailable` if the key of the device cannot be used now.
  public func authorize(
    _ request: inout URLRequest, nonce: String? = nil
  ) async throws(SignInError) {
    let target = try Self.target(of: request.url)
    let token = try await freshToken()
    let proof = await environment.proof(
      method: request.httpMethod ?? "GET", target: target, issuedAt: flow.context.now.seconds,
      token: token, nonce: nonce)
    guard let proof else { throw .storageUnavailable }
    request.setValue("DPoP \(token.revealed)", forHTTPHeaderField: "Authorization")
    request.setValue(proof, forHTTPHeaderField: "DPoP")
  }

  /// The URL without query and fragment (RFC 9449, section 4.2), and with a path.
  static func target(of url: URL?) throws(SignInError) -> String {
    guard let text = url?.absoluteString else { throw .addressNotAllowed }
    do throws(ServerAddressFault) { _ = try ServerAddress(text) } catch {
      throw .addressNotAllowed
    }
    let target = text.prefix { $0 != "?" && $0 != "#" }
    // The scheme, two slashes and the host come before the path.
    let hasPath =
      target.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
      .count > 3
    return hasPath ? String(target) : target + "/"
  }

  // MARK: Tickets

  /// What the engine replied, with the answer as it was received.
  struct Reply: Sendable {
    let content: TicketReply.Content
    /// `nil` if no answer arrived, or if the reply is a token or a result.
    let response: Response?
  }

  func send(_ request: APIRequest) async throws(SignInError) -> Answer {
    switch try await reply(to: request).content {
    case .answer(let answer): return answer
    case .token, .result: throw .serverFault
    }
  }

  private func reply(to request: APIRequest) async throws(SignInError) -> Reply {
    try await ask { .requestMade(request, ticket: $0) }
  }

  private func freshToken() async throws(SignInError) -> Secret {
    switch try await ask({ .tokenAsked(ticket: $0) }).content {
    case .token(let token): return token
    case .answer(let answer): throw SignInError(answer, at: flow.context.now) ?? .serverFault
    case .result: throw .serverFault
    }
  }

  private func ask(_ event: (Int64) -> Event.Home) async throws(SignInError) -> Reply {
    guard let before = state.session else { throw state.obstacle }
    let ticket = nextNumber()
    awaited.insert(ticket)
    defer {
      awaited.remove(ticket)
      replies[ticket] = nil
    }
    await feed(.home(event(ticket)))
    while true {
      if let reply = replies[ticket] { return reply }
      switch state {
      case .appLocked, .confirming: throw state.obstacle
      case .signedOut(let reason): throw reason ?? .sessionExpired
      case .loading, .storageUnavailable, .codeRequired, .browserRequired, .lockedOut, .signedIn,
        .endingSoon:
        guard state.session?.id == before.id else { throw .sessionExpired }
      }
      if Task.isCancelled { throw .cancelled }
      await turn()
    }
  }
}
