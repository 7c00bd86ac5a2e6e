import JSONText
import SignInService
import SignInTesting
import Synchronization

/// An identity provider that answers as a test says, and remembers the requests.
final class ScriptedProvider: ProviderCalls {
  static let issuer = "https://login.example.net"

  private struct State {
    var answers: [String: Result<ProviderResponse, ProviderCallFault>] = [:]
    var requests: [ProviderRequest] = []
    var hanging: Set<String> = []
    var work: [String: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())
  /// The clock of calls that hang.
  private let clock: SimulatedClock?

  init(_ clock: SimulatedClock? = nil) {
    self.clock = clock
    answer("/.well-known/openid-configuration", Self.metadata())
    answer("/keys", ProviderExamples.keys)
  }

  /// The URLs of the requests, without the issuer.
  var asked: [String] {
    state.withLock { state in state.requests.map { String($0.url.dropFirst(Self.issuer.count)) } }
  }

  var requests: [ProviderRequest] { state.withLock { $0.requests } }

  func answer(_ path: String, _ body: String, status: Int = 200) {
    let response = ProviderResponse(status: status, body: Array(body.utf8))
    state.withLock { $0.answers[Self.issuer + path] = .success(response) }
  }

  func fail(_ path: String, _ why: String = "no answer in time") {
    state.withLock { $0.answers[Self.issuer + path] = .failure(ProviderCallFault(why)) }
  }

  /// Runs `work` before each answer of this path, such as a clock that advances.
  func before(_ path: String, _ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.work[Self.issuer + path] = work }
  }

  /// Answers of this path come only at the end of the time of their calls, as a fault.
  func hang(_ path: String) { _ = state.withLock { $0.hanging.insert(Self.issuer + path) } }

  func send(
    _ request: ProviderRequest
  ) async throws(ProviderCallFault) -> ProviderResponse {
    let (result, isHanging, work) = state.withLock { state in
      state.requests.append(request)
      return (
        state.answers[request.url], state.hanging.contains(request.url), state.work[request.url]
      )
    }
    work?()
    if isHanging, let clock {
      await clock.pause(milliseconds: request.deadlineMilliseconds)
      throw ProviderCallFault("no answer in time")
    }
    // Other requests can run before the answer.
    await Task.yield()
    guard let result else { return ProviderResponse(status: 404, body: []) }
    return try result.get()
  }

  /// Metadata with edits.
  ///
  /// `nil` removes a member.
  static func metadata(_ edits: [String: JSON?] = [:]) -> String {
    var members: [String: JSON] = [
      "issuer": .string(issuer), "authorization_endpoint": .string(issuer + "/authorize"),
      "token_endpoint": .string(issuer + "/token"), "jwks_uri": .string(issuer + "/keys"),
      "userinfo_endpoint": .string(issuer + "/userinfo"),
      "response_types_supported": .array([.string("code")]),
      "id_token_signing_alg_values_supported": .array([.string("RS256"), .string("HS256")]),
      "code_challenge_methods_supported": .array([.string("S256")]),
    ]
    for (key, value) in edits { members[key] = value }
    let json = JSON.object(members.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) })
    return String(decoding: json.utf8, as: UTF8.self)
  }

  static func openID(_ name: String = "login") -> IdentityProvider {
    IdentityProvider(
      settings: IdentityProvider.Settings(
        name: name,
        kind: .openID(issuer: issuer, discovery: IdentityProvider.discovery(of: issuer)),
        clientID: "client-1", scopes: ["openid"]),
      credential: .none)
  }
}
