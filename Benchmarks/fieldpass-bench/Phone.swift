import Cryptography
import JSONText
import SignInModel
import SignInWire

/// One person's device: its key, its connection and the timed requests of one sign-in.
final class Phone {
  /// The requests for which people wait.
  enum Call: String, Sendable {
    case password = "password step"
    case request = "OTP request"
    case code = "OTP verify"
    case token
    case jobs

    static let ofTechnicians = [Call.password, .code, .token, .jobs]
  }

  /// The apps of the configuration.
  enum App: String {
    case technician = "technician-app"
    case rider = "rider-app"
    case console
    /// The app whose people sign in at an identity provider.
    case member = "member-app"
  }

  /// The data that apps read repeatedly while signed in.
  enum Reading: String, CaseIterable {
    case jobs = "Reading jobs"
    case sync = "Product syncs without a change, requested without a validator"
    case unchangedSync = "Product syncs without a change, requested with the last validator"
  }

  private(set) var times: [Call: Sample] = [:]

  let app: App
  let connection: HTTPConnection
  private let proofs: ProofMaker
  private let verifier = Base64URL.encode(SecureRandom.bytes(32))
  private var accessToken = ""
  private var refreshToken = ""
  /// The cursor of the last product sync and the validator of its answer.
  private var cursor = ""
  private var tag = ""
  /// The seconds by which the server's clock was moved.
  var clockOffset: Int64 = 0

  /// The server's clock.
  var unixSeconds: Int64 { Stopwatch.unixSeconds + clockOffset }

  init(_ server: ServerProcess.Target, _ app: App = .technician) throws(BenchFault) {
    self.app = app
    connection = try HTTPConnection(port: server.port)
    proofs = ProofMaker(issuer: server.issuer)
  }

  /// The complete sign-in and one request for the jobs.
  func signIn(_ person: LoadPerson) throws(BenchFault) {
    let first = try logIn(email: person.email, password: LoadPerson.password, as: .password)
    try finish(first, with: try readCode(of: person.phone))
  }

  /// The complete sign-in of the demo's administrator at the console.
  func signInAsAdministrator() throws(BenchFault) {
    let first = try logIn(email: "admin@example.com", password: "demo-Admin-1", as: nil)
    try finish(first, with: try readCode(of: "+15550101238"))
  }

  /// The rest of a sign-in after the first answer, which has a challenge.
  func finish(_ first: JSON, with code: String) throws(BenchFault) {
    let proved = try verify(first, code)
    guard let answer = AuthorizationCodeAnswer(json: proved) else { throw unexpected(proved) }
    let tokens = try redeem(answer.code.revealed)
    try store(tokens)
  }

  private func store(_ tokens: JSON) throws(BenchFault) {
    guard let access = tokens["access_token"]?.text, let refresh = tokens["refresh_token"]?.text
    else { throw unexpected(tokens) }
    accessToken = access
    refreshToken = refresh
  }

  /// Renews the session and returns the seconds.
  func refresh() throws(BenchFault) -> Double {
    let form = TokenForm(clientID: app.rawValue, refreshToken: Secret(refreshToken)).form
    let (tokens, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
      try post(Endpoint.token.path, form, as: nil)
    }
    try store(tokens)
    return seconds
  }

  /// Makes the requests that wait for account updates of this session.
  func waitingCalls() throws(BenchFault) -> WaitingCalls {
    let (reply, _) = try get(Endpoint.sessionEvents.path)
    guard let version = try Self.read(reply)["version"]?.text else {
      throw BenchFault("the request for account updates got \(reply.status)")
    }
    return WaitingCalls(proofs: proofs, accessToken: accessToken, version: version)
  }

  func logIn(email: String, password: String, as call: Call? = nil) throws(BenchFault) -> JSON {
    try post(Endpoint.challenge.path, logInForm(email: email, password: password), as: call)
  }

  /// Sends the password step and returns any answer.
  func tryLogIn(
    email: String, password: String
  ) throws(BenchFault) -> (reply: HTTPConnection.Reply, answer: JSON) {
    let reply = try send(Endpoint.challenge.path, logInForm(email: email, password: password))
    return (reply, try Self.read(reply))
  }

  private func logInForm(email: String, password: String) -> Form {
    firstForm {
      $0.username = email
      $0.password = Secret(password)
    }
  }

  private func firstForm(_ addCredentials: (inout ChallengeForm) -> Void) -> Form {
    var form = ChallengeForm(
      clientID: app.rawValue,
      scope: "openid offline_access account jobs products dashboard admin",
      s256Challenge: Base64URL.encode(SHA256Digest.of(verifier)))
    addCredentials(&form)
    return form.form
  }

  /// Asks for a sign-in at an identity provider.
  func beginSignIn(at provider: String) throws(BenchFault) -> JSON {
    try post(Endpoint.challenge.path, firstForm { $0.provider = provider }, as: nil)
  }

  /// Sends a rider's first request.
  func askForCode(phone: String, proof: String? = nil) throws(BenchFault) -> JSON {
    try post(
      Endpoint.challenge.path, firstForm { $0.phoneNumber = phone }, as: .request, proof: proof)
  }

  func verify(
    _ first: JSON, _ code: String, proof: String? = nil
  ) throws(BenchFault) -> JSON {
    guard let handle = first["auth_session"]?.text else { throw unexpected(first) }
    let form = ChallengeForm {
      $0.clientID = app.rawValue
      $0.authSession = Secret(handle)
      $0.otp = Secret(code)
    }
    return try post(Endpoint.challenge.path, form.form, as: .code, proof: proof)
  }

  func redeem(_ authorizationCode: String, proof: String? = nil) throws(BenchFault) -> JSON {
    let form = TokenForm(
      clientID: app.rawValue, code: Secret(authorizationCode), verifier: Secret(verifier))
    return try post(Endpoint.token.path, form.form, as: .token, proof: proof)
  }

  /// Deactivates an account as an administrator does.
  func deactivate(_ account: String) throws(BenchFault) {
    let path = Endpoint.adminAccounts.path + "/" + account
    let proof = proof("PATCH", path, accessToken: accessToken)
    let reply = try connection.send(
      "PATCH", path,
      fields: [
        "Authorization: DPoP \(accessToken)", "DPoP: \(proof)", "Content-Type: application/json",
      ],
      body: WorkStatusBody { $0.status = "deactivated" }.json.utf8
    )
    guard reply.status == 200 else {
      throw BenchFault("a deactivation got \(reply.status)")
    }
  }

  /// Returns the times since the last call and clears them.
  func takeTimes() -> [Call: Sample] {
    defer { times = [:] }
    return times
  }

  /// Sends a request of the development tools.
  func ask(_ method: String, _ path: String, _ json: JSON) throws(BenchFault) -> JSON {
    try Self.read(
      try connection.send(
        method, path, fields: ["Content-Type: application/json"], body: json.utf8)
    )
  }

  /// Makes proofs before the measurement, because a phone has its own processor.
  func proofs(_ path: String, count: Int) -> [String] {
    (0..<count).map { _ in proof("POST", path) }
  }

  func readJobs() throws(BenchFault) {
    let (reply, seconds) = try get(Endpoint.jobs.path)
    guard reply.status == 200 else { throw BenchFault("the request for jobs got \(reply.status)") }
    times[.jobs, default: Sample()].add(seconds)
  }

  /// Reads data as a signed-in person does all day, and returns the seconds.
  func read(_ what: Reading) throws(BenchFault) -> Double {
    switch what {
    case .jobs: return try get(Endpoint.jobs.path, expecting: 200)
    case .sync:
      if cursor.isEmpty { try beginSync() }
      return try get(Endpoint.products.path, query: syncQuery, expecting: 200)
    case .unchangedSync:
      if cursor.isEmpty { try beginSync() }
      return try get(
        Endpoint.products.path, query: syncQuery, fields: ["If-None-Match: \(tag)"],
        expecting: 304
      )
    }
  }

  /// Sends a request of the console and returns the seconds.
  func read(_ call: AdministratorLoad.Call) throws(BenchFault) -> Double {
    try get(call.path, query: call.query, expecting: 200)
  }

  private var syncQuery: String { SyncQuery { $0.cursor = cursor }.form.encoded }

  /// Performs the first sync.
  ///
  /// Later syncs continue from its cursor.
  private func beginSync() throws(BenchFault) {
    let first = try Self.read(try get(Endpoint.products.path).reply)
    cursor = first["cursor"]?.text ?? ""
    let (reply, _) = try get(Endpoint.products.path, query: syncQuery)
    tag = reply.tag
    guard !cursor.isEmpty, !tag.isEmpty else { throw BenchFault("the products are incomplete") }
  }

  private func get(
    _ path: String, query: String, fields: [String] = [], expecting status: Int
  ) throws(BenchFault) -> Double {
    let (reply, seconds) = try get(path, query: query, fields: fields)
    guard reply.status == status else { throw BenchFault("\(path) answered \(reply.status)") }
    return seconds
  }

  private func get(_ path: String, expecting status: Int) throws(BenchFault) -> Double {
    try get(path, query: "", expecting: status)
  }

  private func get(
    _ path: String, query: String = "", fields: [String] = []
  ) throws(BenchFault) -> (reply: HTTPConnection.Reply, seconds: Double) {
    let proof = proof("GET", path, accessToken: accessToken)
    let all = ["Authorization: DPoP \(accessToken)", "DPoP: \(proof)"] + fields
    let target = query.isEmpty ? path : path + "?" + query
    let (reply, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
      try connection.send("GET", target, fields: all)
    }
    return (reply, seconds)
  }

  private func post(
    _ path: String, _ form: Form, as call: Call?, proof: String? = nil
  ) throws(BenchFault) -> JSON {
    try Self.read(try send(path, form, as: call, proof: proof))
  }

  private func send(
    _ path: String, _ form: Form, as call: Call? = nil, proof made: String? = nil
  ) throws(BenchFault) -> HTTPConnection.Reply {
    let proof = made ?? proof("POST", path)
    let fields = ["Content-Type: application/x-www-form-urlencoded", "DPoP: \(proof)"]
    let body = Array(form.encoded.utf8)
    let (reply, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
      try connection.send("POST", path, fields: fields, body: body)
    }
    if let call { times[call, default: Sample()].add(seconds) }
    return reply
  }

  /// The code in the newest message.
  ///
  /// It retries until the message has arrived.
  func readCode(of phone: String, since: Int64 = 0) throws(BenchFault) -> String {
    let query = InboxQuery { $0.to = phone }.form.encoded
    let path = Endpoint.developmentMessages.path + "?" + query
    for _ in 0..<2000 {
      let messages = try Self.read(try connection.send("GET", path))
      if let newest = messages.elements?.first, newest["sent_at"]?.number ?? 0 >= since,
        let code = newest["code"]?.text
      {
        return code
      }
      Stopwatch.pause(milliseconds: 2)
    }
    throw BenchFault("no message arrived for \(phone)")
  }

  private func proof(_ method: String, _ path: String, accessToken: String? = nil) -> String {
    proofs.proof(method, path, at: unixSeconds, accessToken: accessToken)
  }

  private static func read(_ reply: HTTPConnection.Reply) throws(BenchFault) -> JSON {
    do throws(JSONMalformed) { return try JSONReader.read(reply.body) } catch {
      throw BenchFault("an answer with status \(reply.status) had no JSON")
    }
  }

  func unexpected(_ answer: JSON) -> BenchFault {
    BenchFault("a sign-in under load was refused: \(answer["error"]?.text ?? "without a reason")")
  }
}

/// One of the accounts that the server creates for load tests.
struct LoadPerson: Sendable {
  static let password = "demo-Load-1"
  static let limit = 9999

  let number: Int

  private var digits: String {
    let text = String(number)
    return String(repeating: "0", count: 4 - text.utf8.count) + text
  }

  var email: String { "load-\(digits)@example.com" }
  var phone: String { "+1555020\(digits)" }
  var account: String { "load-\(digits)" }
}
