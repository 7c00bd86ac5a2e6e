import Cryptography
import Glibc
import HTTPServer
import JSONText
import SignInModel
import SignInWire
import Threads

/// Signs people in at an identity provider that runs in this program.
///
/// It measures the server's processor time of a sign-in, and whether a provider that hangs slows
/// other requests.
struct IdentityProviderLoad: Sendable {
  static let connections = 16
  /// Browsers that sign in at the same time as other people read, and the time that each takes.
  static let browsers = 96
  static let periodSeconds = 5.0
  static let readers = 4
  static let readingSeconds = 4.0

  private(set) var signIns = Sample()
  private(set) var rate = 0.0
  private(set) var processorSecondsEach = 0.0
  /// Requests per second while the provider answers, and while it hangs, one of each round.
  private(set) var besideAnswering = Sample()
  private(set) var besideHanging = Sample()

  /// Measures with a new server for the given seconds.
  static func measure(
    program: String, folder: String, seconds: Double, rounds: Int
  ) throws(BenchFault) -> IdentityProviderLoad {
    guard mkdir(folder, 0o700) == 0 else { throw .system("cannot create `\(folder)`") }
    setenv("FIELDPASS_BENCH_HOOK", "bench", 1)
    let (listener, provider) = try listener()
    let server = ServerProcess(
      program: program, folder: folder,
      providers: LoadIdentityProvider.Kind.allCases.map { kind in
        (name: kind.rawValue, issuer: provider.issuer(of: kind))
      })
    defer {
      server.stop()
      provider.hanging.release()
      BlockingCall.run { await listener.stop() }
    }
    listener.start()
    try server.start()
    try server.makePeople()
    var load = IdentityProviderLoad()
    try load.measureSignIns(server, seconds)
    var people = (1...LoadPerson.limit).makeIterator()
    // The two cases alternate, so that other work of the machine affects both equally.
    for _ in 0..<rounds {
      for kind in LoadIdentityProvider.Kind.allCases {
        note("Reading while people sign in at a provider that \(kind.rawValue) …")
        let crew = (0..<readers).compactMap { _ in people.next().map { LoadPerson(number: $0) } }
        let rate = try reading(server.target, crew, beside: kind)
        switch kind {
        case .answers: load.besideAnswering.add(rate)
        case .hangs: load.besideHanging.add(rate)
        }
      }
    }
    return load
  }

  private static func listener() throws(BenchFault) -> (HTTPServer, LoadIdentityProvider) {
    var configuration = HTTPServerConfiguration(address: "127.0.0.1", port: 0) {
      Stopwatch.unixSeconds
    }
    configuration.limits.connectionsPerAddress = .max
    do throws(HTTPServerFault) {
      var provider: LoadIdentityProvider?
      let listener = try HTTPServer(configuration) { port in
        let made = LoadIdentityProvider(port: port)
        provider = made
        return made
      }
      guard let provider else { preconditionFailure("binding did not make a handler") }
      return (listener, provider)
    } catch {
      throw BenchFault("the identity provider cannot listen: \(error)")
    }
  }

  private mutating func measureSignIns(
    _ server: ServerProcess, _ seconds: Double
  ) throws(BenchFault) {
    let target = server.target
    let gathering = ThreadBarrier(size: Self.connections)
    let before = Monitor<Double>(0)
    let outcome = try ParallelLoad.run(threads: Self.connections, seconds: .infinity) {
      (number, _) throws(BenchFault) -> (sample: Sample, seconds: Double) in
      do throws(BenchFault) {
        let phone = try Phone(target, .member)
        // The first sign-in creates the account.
        _ = try phone.signIn(at: .answers, as: number)
        try gathering.wait()
        before.withLock { if $0 == 0 { $0 = target.processorSeconds } }
        let began = Stopwatch.seconds
        var sample = Sample()
        while Stopwatch.seconds - began < seconds {
          sample.add(try phone.signIn(at: .answers, as: number))
        }
        return (sample, Stopwatch.seconds - began)
      } catch {
        gathering.disperse()
        throw error
      }
    }
    for part in outcome.parts { signIns.add(part.sample) }
    let count = Double(max(1, signIns.count))
    rate = count / (outcome.parts.map { $0.seconds }.max() ?? 1)
    processorSecondsEach = (target.processorSeconds - before.withLock { $0 }) / count
  }

  /// Requests for jobs per second, while browsers sign in at the provider at a steady rate.
  private static func reading(
    _ target: ServerProcess.Target, _ crew: [LoadPerson], beside kind: LoadIdentityProvider.Kind
  ) throws(BenchFault) -> Double {
    let began = Stopwatch.seconds + 1
    let end = began + periodSeconds + readingSeconds
    let outcome = try ParallelLoad.run(threads: browsers + readers, seconds: .infinity) {
      (number, _) throws(BenchFault) -> Int in
      if number < readers {
        return try read(try Phone(target), crew[number], from: began + periodSeconds, until: end)
      }
      let phone = try Phone(target, .member)
      let step = periodSeconds / Double(browsers)
      var due = began + Double(number - readers) * step
      while due < end {
        Stopwatch.pause(until: due)
        _ = try phone.signIn(at: kind, as: number)
        due += periodSeconds
      }
      return 0
    }
    return Double(outcome.parts.reduce(0, +)) / readingSeconds
  }

  private static func read(
    _ phone: Phone, _ person: LoadPerson, from start: Double, until end: Double
  ) throws(BenchFault) -> Int {
    try phone.signIn(person)
    Stopwatch.pause(until: start)
    var count = 0
    while Stopwatch.seconds < end {
      _ = try phone.read(.jobs)
      count += 1
    }
    return count
  }
}

/// An identity provider that answers or hangs at its token endpoint.
///
/// It has no page: `Phone` makes the code that the token endpoint accepts.
final class LoadIdentityProvider: HTTPHandler {
  enum Kind: String, CaseIterable, Sendable {
    case answers, hangs
  }

  static let client = "fieldpass"

  let hanging = HangingAnswers()
  private let base: String
  private let key = SigningKey.generate()

  init(port: UInt16) { base = "http://127.0.0.1:\(port)/" }

  func issuer(of kind: Kind) -> String { base + kind.rawValue }

  /// The code of a person, with the nonce of the authorization request.
  static func code(of person: Int, nonce: String) -> String { "\(person).\(nonce)" }

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let parts = request.path.dropFirst().split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else {
      return HTTPResponse(status: 404)
    }
    let issuer = issuer(of: kind)
    switch parts[1] {
    case ".well-known/openid-configuration":
      return Self.json([
        JSONMember("issuer", issuer), JSONMember("authorization_endpoint", issuer + "/authorize"),
        JSONMember("token_endpoint", issuer + "/token"), JSONMember("jwks_uri", issuer + "/keys"),
      ])
    case "keys":
      let jwk = JSON.members([
        JSONMember("kty", "EC"), JSONMember("crv", "P-256"), JSONMember("kid", "1"),
        JSONMember("x", Base64URL.encode(key.publicKey.x)),
        JSONMember("y", Base64URL.encode(key.publicKey.y)),
      ])
      return Self.json([JSONMember("keys", .array([jwk]))])
    case "token":
      if kind == .hangs { await hanging.wait() }
      return tokens(request, issuer)
    default: return HTTPResponse(status: 404)
    }
  }

  private func tokens(_ request: HTTPRequest, _ issuer: String) -> HTTPResponse {
    let form: Form
    do throws(Form.Fault) { form = try Form(parsing: request.body) } catch {
      return HTTPResponse(status: 400)
    }
    let code = (form["code"] ?? "").split(separator: ".", maxSplits: 1)
    guard code.count == 2, let person = Int(code[0]) else { return HTTPResponse(status: 400) }
    let now = Stopwatch.unixSeconds
    let header = JSON.members([JSONMember("alg", "ES256"), JSONMember("kid", "1")])
    let claims = JSON.members([
      JSONMember("iss", issuer), JSONMember("aud", Self.client),
      JSONMember("sub", "person-\(person)"), JSONMember("iat", now),
      JSONMember("exp", now + 300), JSONMember("nonce", String(code[1])),
      JSONMember("name", "Person \(person)"),
      JSONMember("phone_number", "+1555040\(1000 + person)"),
      JSONMember("phone_number_verified", true),
    ])
    let text = Base64URL.encode(header.utf8) + "." + Base64URL.encode(claims.utf8)
    let token = text + "." + Base64URL.encode(key.sign(Array(text.utf8)))
    return Self.json([
      JSONMember("access_token", "a"), JSONMember("token_type", "Bearer"),
      JSONMember("id_token", token),
    ])
  }

  func refusal(status: Int, path: String) -> HTTPResponse { HTTPResponse(status: status) }

  private static func json(_ members: [JSONMember]) -> HTTPResponse {
    HTTPResponse(
      status: 200, fields: [HTTPField("Content-Type", "application/json")],
      body: JSON.members(members).utf8)
  }
}

extension IdentityProviderLoad {
  func print(beside limits: MachineLimits) {
    var table = Table("Sign-ins at an identity provider, \(Self.connections) connections", "", "")
    table.add("per second, provider and browser included", Figure.count(rate))
    table.add("server ms each", Figure.milliseconds(processorSecondsEach))
    table.add(
      "of these, signatures that cannot be left out",
      Figure.percent(limits.signaturesOfProviderSignIn / max(processorSecondsEach, 1e-9)))
    table.add("P50 ms", Figure.milliseconds(signIns.median))
    table.add("P95 ms", Figure.milliseconds(signIns.quantile(0.95)))
    table.print()
    var reading = Table(
      "Reading jobs, beside \(Self.browsers) browsers at a provider", "", "per second")
    reading.add("the provider answers", Figure.count(best(besideAnswering)))
    reading.add("the provider hangs", Figure.count(best(besideHanging)))
    reading.print()
  }

  /// The best round, because other programs may have run during the others.
  private func best(_ rates: Sample) -> Double { rates.quantile(1) }

  var bars: [Bar] {
    let share = best(besideHanging) / max(best(besideAnswering), 1)
    return [
      Bar(
        "P-02 sign-in at an identity provider: under 5 ms of the server's processor time",
        Figure.milliseconds(processorSecondsEach),
        isMet: signIns.count > 0 && processorSecondsEach < Bar.providerSignInSeconds),
      Bar(
        "P-03 an identity provider that hangs slows reading by at most 5 %",
        Figure.percent(share), isMet: share >= 1 - Bar.hangingProviderShare),
    ]
  }
}

extension MachineLimits {
  /// The processor seconds of the signatures of one sign-in: two proofs and one ID token are
  /// verified, and an access token and an ID token are signed.
  fileprivate var signaturesOfProviderSignIn: Double {
    Double(cores) * (3 / signatureVerifications + 2 / signatures)
  }
}
