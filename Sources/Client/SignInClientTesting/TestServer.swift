public import Foundation
import JSONText
public import SignInClient
import SignInModel
import SignInWire

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A Fieldpass server in memory for the tests of an app, without a network and without waiting.
///
///     let server = TestServer()
///     await server.addPerson(email: "ada@example.com", password: "a long password")
///     let client = try SignInClient(server.configuration, platform: server.makePlatform())
///
/// It answers the requests of sign-in, sessions, passwords and registration as the real server
/// does, and simulates the browser and the identity provider. It checks passwords, codes, the code
/// verifier, and that each request has a proof for its method and URL. The fifth failure locks an
/// account for 15 minutes. It does not check signatures and has no resend cooldown. Its access
/// tokens are not JSON Web Tokens.
public actor TestServer: SignInClient.Transport {
  /// A failure of every request.
  public enum Fault: Sendable {
    case noNetwork
    case unreachable
    case timedOut
    /// The server answers with status 500.
    case serverFault
  }

  /// The result of the prompt that verifies the owner of a device.
  public enum UnlockResult: Sendable {
    case succeeds
    /// The owner closes the prompt.
    case cancelled
    /// The sensor is in use.
    case busy
    /// Another finger or face was enrolled.
    case enrolmentChanged
  }

  /// The configuration for a client of this server.
  public nonisolated let configuration: SignInClient.Configuration

  static let origin = "https://login.example.test"
  /// The start of the paths with public information about apps.
  static let appsPath = Endpoint.app(Endpoint.Segment("")).path

  var people: [Person] = []
  var sessions: [OpenSession] = []
  var attempts: [String: Attempt] = [:]
  var resets: [String: Attempt] = [:]
  var codes: [String: Attempt] = [:]
  var answers: [String: Reply] = [:]
  var providers: [TestProvider] = []
  var browserRequests: [String: BrowserRequest] = [:]
  var idleTimeoutSeconds: Int64 = 14 * 24 * 60 * 60
  var backgroundTimeoutSeconds: Int64 = 24 * 60 * 60
  var isStorageReadable = true
  var unlockResult = UnlockResult.succeeds
  /// How far the test has moved the clocks forward.
  var aheadSeconds: Int64 = 0
  var watchers: [Watcher] = []
  var lastNumber = 0
  private var fault: Fault?

  /// The newest code that was sent, or `nil` if none was sent.
  public internal(set) var code: String?
  /// The names and phone numbers of people who requested an account.
  public internal(set) var registrations: [(name: String, phone: String)] = []

  public init(
    clientID: String = "test-app", scopes: [String] = [],
    method: SignInClient.Configuration.Method = .emailAndPassword
  ) {
    let server = URL(string: Self.origin) ?? URL(fileURLWithPath: "/")
    configuration = SignInClient.Configuration(
      clientID: clientID, server: server, scopes: scopes, method: method)
  }

  /// A new device without stored data.
  ///
  /// Two clients with one platform mean an app that is opened twice. With `hasAppLock`, the device
  /// can verify its owner, so that `setAppLock(_:)` and `unlock()` work.
  public nonisolated func makePlatform(hasAppLock: Bool = false) -> SignInClient.Platform {
    SignInClient.Platform(
      storage: TestStorage(server: self), cryptography: TestCryptography(), transport: self,
      clock: TestClock(server: self),
      lock: hasAppLock ? TestDeviceLock(server: self) : NoDeviceLock())
  }

  // MARK: Setting up a test

  /// Adds an account.
  ///
  /// Codes are sent to its phone number.
  public func addPerson(
    name: String = "Ada", email: String? = nil, password: String? = nil,
    phone: String = "+15550100001", role: String = "member",
    organizations: [String] = []
  ) {
    lastNumber += 1
    people.append(
      Person(
        id: "person-\(lastNumber)", name: name, email: email, password: password, phone: phone,
        role: role, organizations: organizations))
  }

  /// Makes every request fail in this way.
  ///
  /// With `nil`, requests succeed again.
  public func setFault(_ fault: Fault?) { self.fault = fault }

  /// Refuses all current access tokens, so that the client renews them.
  public func expireAccessTokens() {
    for index in sessions.indices { sessions[index].accessToken = "" }
  }

  /// Ends all sessions, as an administrator can do.
  ///
  /// The clients are informed at once.
  public func endSessions() {
    for index in sessions.indices { end(index) }
  }

  /// The number of open sessions.
  public var openSessionCount: Int { sessions.filter { !$0.isOver }.count }

  /// The answer to `GET`, `POST`, `PATCH` and `DELETE` at this path, for a person who is signed in.
  public func answer(
    _ path: String, status: Int = 200, headers: [String: String] = [:], with body: Data
  ) {
    answers[path] = Reply(status: status, headers: headers, body: body)
  }

  // MARK: The device and the time

  /// Moves the clocks of the server and of all its devices forward.
  ///
  /// The clients notice it within a fraction of a second. A negative number moves nothing.
  public func advance(bySeconds seconds: Int) {
    aheadSeconds = aheadSeconds.plusClamping(max(0, Int64(clamping: seconds)))
  }

  /// Sets after how many seconds without use a session ends, and after how many seconds in the
  /// background an app with an app lock locks.
  ///
  /// They are two weeks and one day if you do not call this. A session ends after thirty days in
  /// any case.
  public func setTimeouts(idleSeconds: Int, backgroundSeconds: Int) {
    idleTimeoutSeconds = Int64(clamping: idleSeconds)
    backgroundTimeoutSeconds = Int64(clamping: backgroundSeconds)
  }

  /// Makes the secure storage of all devices unreadable, as on a phone that was not unlocked since
  /// its start.
  ///
  /// Only reading fails. The storage still accepts changes.
  public func setStorageReadable(_ isReadable: Bool) { isStorageReadable = isReadable }

  /// Sets what happens when the owner of a device with an app lock is to be verified.
  public func setUnlockResult(_ result: UnlockResult) { unlockResult = result }

  // MARK: The transport

  public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    switch fault {
    case .noNetwork: throw URLError(.notConnectedToInternet)
    case .unreachable: throw URLError(.cannotConnectToHost)
    case .timedOut: throw URLError(.timedOut)
    case .serverFault: return try reply(Reply(.serverError), to: request)
    case nil: break
    }
    guard let url = request.url, url.absoluteString.hasPrefix(Self.origin + "/") else {
      throw URLError(.cannotFindHost)
    }
    let call = TestCall(request, at: url)
    guard call.isProved else {
      let refusal = Refusal.invalidProof("a proof is needed")
      return try reply(call.isOfData ? Reply(problem: refusal) : Reply(refusal), to: request)
    }
    return try reply(await answer(call), to: request)
  }

  private func reply(_ reply: Reply, to request: URLRequest) throws -> (Data, HTTPURLResponse) {
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: reply.status, httpVersion: nil,
        headerFields: reply.headers)
    else { throw URLError(.badURL) }
    return (reply.body, response)
  }
}

// MARK: - State

extension TestServer {
  struct Person {
    let id: String
    let name: String
    let email: String?
    var password: String?
    let phone: String
    let role: String
    let organizations: [String]
    /// The wrong passwords and codes since the last sign-in.
    var failures: Int64 = 0
    var lockedUntil: Instant?
  }

  /// A sign-in or a password reset, until its code is entered and redeemed.
  struct Attempt {
    let person: Int
    let challenge: String
    var code: String
  }

  struct OpenSession {
    let id: String
    let person: Int
    let key: String
    let startedAt: Instant
    var lastUsedAt: Instant
    var organization: String?
    var accessToken: String
    var refreshToken: String
    /// The token before `refreshToken`, which a client sends again if it lost the answer.
    var previousRefreshToken: String?
    /// `nil` as long as the session is open.
    var endReason: EndReason?

    var isOver: Bool { endReason != nil }
    var expiresAt: Instant { startedAt.adding(seconds: 30 * 24 * 60 * 60) }
  }

  /// A request that is answered when its session ends.
  struct Watcher {
    let session: String
    let continuation: CheckedContinuation<Void, Never>
  }

  struct Reply {
    let status: Int
    var headers = ["Content-Type": "application/json"]
    let body: Data

    init(status: Int = 200, _ json: JSON?) {
      self.status = status
      body = json.map { Data($0.utf8) } ?? Data()
    }

    init(status: Int, headers: [String: String], body: Data) {
      self.status = status
      self.headers.merge(headers) { _, new in new }
      self.body = body
    }

    /// A refusal in the form of the sign-in endpoints.
    init(_ answer: Refusal) { self.init(status: answer.code.status, answer.json) }

    /// A refusal in the form of `/api`.
    init(problem refusal: Refusal) {
      let status = refusal.code.dataStatus
      self.init(status: status, Problem(refusal, status: status).json(title: "Refused"))
    }
  }

  func next(_ kind: String) -> String {
    lastNumber += 1
    return "\(kind)-\(lastNumber)"
  }

  func end(_ index: Int, for reason: EndReason = .revoked) {
    sessions[index].endReason = reason
    let ended = watchers.filter { $0.session == sessions[index].id }
    watchers.removeAll { $0.session == sessions[index].id }
    for watcher in ended { watcher.continuation.resume() }
  }
}

/// One request that the server received.
struct TestCall {
  let method: String
  let path: String
  let query: Form
  let form: Form
  let json: JSON
  /// The name of the key in the proof, or `nil` if there is no proof for this request.
  let key: String?
  let token: String?
  let isProofNeeded: Bool

  init(_ request: URLRequest, at url: URL) {
    method = request.httpMethod ?? "GET"
    let target = url.absoluteString.dropFirst(TestServer.origin.count)
      .split(separator: "?", maxSplits: 1)
    path = target.first.map { String($0) } ?? "/"
    query = Self.form(target.count > 1 ? Array(target[1].utf8) : [])
    let body = [UInt8](request.httpBody ?? Data())
    let isForm =
      request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded"
    form = isForm ? Self.form(body) : Form()
    json = isForm ? .null : Self.parse(body)
    let proof = request.value(forHTTPHeaderField: "DPoP")
    let aim = (method: method, target: TestServer.origin + path)
    key = proof.flatMap { Self.key($0, method: aim.method, target: aim.target) }
    token = request.value(forHTTPHeaderField: "Authorization").flatMap { value in
      value.hasPrefix("DPoP ") ? String(value.dropFirst(5)) : nil
    }
    isProofNeeded = !path.hasPrefix(TestServer.appsPath)
  }

  /// Whether the path is one of `/api`.
  var isOfData: Bool { path.hasPrefix(Endpoint.dataFolder) }

  var isProved: Bool { key != nil || !isProofNeeded }

  private static func form(_ bytes: [UInt8]) -> Form {
    do throws(Form.Fault) { return try Form(parsing: bytes) } catch { return Form() }
  }

  private static func parse(_ bytes: [UInt8]) -> JSON {
    do throws(JSONMalformed) { return try JSONReader.read(bytes) } catch { return .null }
  }

  private static func key(_ proof: String, method: String, target: String) -> String? {
    let parts = proof.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = part(parts[0]), let claims = part(parts[1]),
      header["typ"]?.text == "dpop+jwt", claims["htm"]?.text == method,
      claims["htu"]?.text == target
    else { return nil }
    return header["jwk"]?["x"]?.text
  }

  private static func part(_ text: Substring) -> JSON? {
    do throws(Malformed) { return parse(try Base64URL.decode(text)) } catch { return nil }
  }
}
