import Glibc
import HTTPServer
import JSONText
import SignInWire
import Synchronization
import Threads

/// Requests codes at a steady rate from a server whose providers run in this program.
///
/// It measures when a message reaches a provider, and whether a provider that hangs delays
/// requests.
struct ProviderLoad: Sendable {
  static let requestsPerSecond = 100
  static let connections = 32
  /// The first requests fill caches and map memory.
  static let warmUp = 100

  /// The time from the planned start of a request to its answer.
  private(set) var requests = Sample()
  /// The time from the planned start of a request to its message at a provider.
  private(set) var beginnings = Sample()

  /// Sends requests at a steady rate.
  ///
  /// `hangs` says whether the first provider never answers.
  static func measure(
    program: String, folder: String, hangs: Bool, seconds: Int
  ) throws(BenchFault) -> ProviderLoad {
    let place = folder
    guard mkdir(place, 0o700) == 0 else { throw .system("cannot create `\(place)`") }
    setenv("FIELDPASS_BENCH_HOOK", "bench", 1)
    let desk = LoadProvider()
    // Each provider has its own port, because connections to one server are limited.
    let paths = hangs ? ["/hang", "/take"] : ["/take"]
    var providers: [HTTPServer] = []
    for _ in paths { providers.append(try provider(desk)) }
    let addresses = zip(providers, paths).map { "http://127.0.0.1:\($0.port)\($1)" }
    let server = ServerProcess(
      program: program, folder: place, messengers: BenchConfiguration.hooks(addresses)
    )
    let running = providers
    defer {
      server.stop()
      desk.hanging.release()
      BlockingCall.run { for provider in running { await provider.stop() } }
    }
    for provider in providers { provider.start() }
    try server.start()
    let count = requestsPerSecond * seconds + warmUp
    let body = LoadAccountsBody { $0.count = Int64(count) }.json.utf8
    _ = try HTTPConnection(port: server.port).send(
      "POST", Endpoint.developmentAccounts.path, fields: ["Content-Type: application/json"],
      body: body
    )
    var load = ProviderLoad()
    load.requests = try ask(server.target, desk, count)
    // Waits for the last message.
    Stopwatch.pause(milliseconds: 1000)
    load.beginnings = desk.beginnings(after: warmUp)
    return load
  }

  mutating func add(_ other: ProviderLoad) {
    requests.add(other.requests)
    beginnings.add(other.beginnings)
  }

  private static func ask(
    _ target: ServerProcess.Target, _ desk: LoadProvider, _ count: Int
  ) throws(BenchFault) -> Sample {
    let began = Stopwatch.seconds + 0.5
    let outcome = try ParallelLoad.run(threads: connections, seconds: .infinity) {
      (thread, _) throws(BenchFault) -> Sample in
      let phone = try Phone(target, .rider)
      var sample = Sample()
      for number in stride(from: thread, to: count, by: connections) {
        let person = LoadPerson(number: number + 1)
        let proof = phone.proofs(Endpoint.challenge.path, count: 1).first
        let due = began + Double(number) / Double(requestsPerSecond)
        let wait = due - Stopwatch.seconds
        if wait > 0 { usleep(UInt32(wait * 1e6)) }
        desk.expect(person.phone, number: number, dueAt: due)
        let answer = try phone.askForCode(phone: person.phone, proof: proof)
        guard answer["auth_session"] != nil else { throw phone.unexpected(answer) }
        if number >= warmUp { sample.add(Stopwatch.seconds - due) }
      }
      return sample
    }
    var all = Sample()
    for part in outcome.parts { all.add(part) }
    return all
  }

  private static func provider(_ desk: LoadProvider) throws(BenchFault) -> HTTPServer {
    let configuration = HTTPServerConfiguration(address: "127.0.0.1", port: 0) {
      Stopwatch.unixSeconds
    }
    do throws(HTTPServerFault) { return try HTTPServer(configuration, handler: desk) } catch {
      throw BenchFault("the provider cannot listen: \(error)")
    }
  }
}

/// A provider: it accepts messages or hangs, and knows the planned start of each request.
private final class LoadProvider: HTTPHandler {
  private struct State {
    var due: [String: (number: Int, at: Double)] = [:]
    var waits: [Int: Double] = [:]
  }

  let hanging = HangingAnswers()
  private let state = Mutex(State())

  func expect(_ phone: String, number: Int, dueAt moment: Double) {
    state.withLock { $0.due[phone] = (number, moment) }
  }

  func beginnings(after number: Int) -> Sample {
    var sample = Sample()
    for (begun, wait) in state.withLock({ $0.waits }) where begun >= number { sample.add(wait) }
    return sample
  }

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let now = Stopwatch.seconds
    let message: JSON
    do throws(JSONMalformed) { message = try JSONReader.read(request.body) } catch {
      return HTTPResponse(status: 400)
    }
    state.withLock { state in
      guard let due = state.due[message["to"]?.text ?? ""], state.waits[due.number] == nil else {
        return
      }
      state.waits[due.number] = now - due.at
    }
    guard request.path == "/hang" else { return HTTPResponse(status: 202) }
    await hanging.wait()
    return HTTPResponse(status: 500)
  }

  func refusal(status: Int, path: String) -> HTTPResponse { HTTPResponse(status: status) }
}
