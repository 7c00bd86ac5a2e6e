import Glibc
import JSONText
import SignInWire
import Threads

/// Measures the machine, then the server on it, and prints one table after the other.
struct Bench {
  static let connectionCounts = [1, 16, 64]
  static let startCount = 5
  static let timingSampleCount = 500

  private let program: String
  private let phaseSeconds: Double
  private let folder: String
  private let server: ServerProcess
  /// Numbers of load accounts that no phase has used.
  private let people = Monitor<Int>(1)

  init(server program: String, phaseSeconds: Double) throws(BenchFault) {
    self.program = program
    self.phaseSeconds = phaseSeconds
    guard let made = mkdtemp(strdup("/var/tmp/fieldpass-bench-XXXXXX")) else {
      throw .system("cannot make a folder in /var/tmp")
    }
    folder = String(cString: made)
    server = ServerProcess(program: program, folder: folder)
  }

  func run() throws(BenchFault) {
    note("Data and log are in \(folder)")
    defer { server.stop() }
    note("Measuring the machine …")
    let limits = try MachineLimits.measure(folder: folder, seconds: phaseSeconds / 2)
    note("Starting the server …")
    try measureStart()
    note("Measuring bare requests …")
    let bare = try measureBareRequests()
    print(limits, bare)
    try measureSignIns(limits, request: bare.seconds)
    note("Comparing known and unknown accounts …")
    try compareTiming()
    printWebSize()
  }

  // MARK: Start

  private func measureStart() throws(BenchFault) {
    try server.start()
    let first = server.readySeconds
    try makePeople()
    var again = Sample()
    for _ in 0..<Self.startCount {
      server.stop()
      try server.start()
      again.add(server.readySeconds)
    }
    Stopwatch.pause(milliseconds: 1500)
    var table = Table("Server", "", "")
    table.add("start to ready, new database", "\(Figure.milliseconds(first)) ms")
    table.add(
      "start to ready, \(Figure.count(Double(LoadPerson.limit))) accounts",
      "\(Figure.milliseconds(again.median)) ms"
    )
    table.add("memory when idle", "\(Figure.fixed(server.residentMebibytes, decimals: 1)) MiB")
    let before = server.processorSeconds
    Stopwatch.pause(milliseconds: 2000)
    table.add("processor when idle", Figure.percent((server.processorSeconds - before) / 2))
    table.print()
  }

  private func makePeople() throws(BenchFault) {
    let body = JSON.members([JSONMember("count", Int64(LoadPerson.limit))]).utf8
    let reply = try HTTPConnection(port: server.port).send(
      "POST", Endpoint.developmentAccounts, fields: ["Content-Type: application/json"], body: body
    )
    guard reply.status == 200 else { throw BenchFault("no accounts were made: \(reply.status)") }
  }

  // MARK: Requests

  private struct BareRequests {
    /// At the greatest number of connections, per second.
    let rate: Double
    /// One request alone, its median.
    let seconds: Double
  }

  private func measureBareRequests() throws(BenchFault) -> BareRequests {
    let connections = Self.connectionCounts.max() ?? 1
    let port = server.port
    let get: @Sendable (Int, () -> Bool) throws(BenchFault) -> Sample = {
      (_, hasTime) throws(BenchFault) in
      let connection = try HTTPConnection(port: port)
      var sample = Sample()
      while hasTime() {
        let (_, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
          try connection.send("GET", Endpoint.alive)
        }
        sample.add(seconds)
      }
      return sample
    }
    let alone = try Crowd.run(threads: 1, seconds: phaseSeconds / 4, get)
    let together = try Crowd.run(threads: connections, seconds: phaseSeconds / 2, get)
    let count = together.parts.reduce(0) { $0 + $1.count }
    return BareRequests(
      rate: Double(count) / together.seconds, seconds: alone.parts.first?.median ?? 0
    )
  }

  private func print(_ limits: MachineLimits, _ bare: BareRequests) {
    var table = Table("Machine, \(limits.cores) cores: each measured alone", "", "per second")
    table.add("Argon2id verifications, 19 MiB", Figure.count(limits.passwordVerifications))
    table.add("ES256 signatures", Figure.count(limits.signatures))
    table.add("ES256 verifications", Figure.count(limits.signatureVerifications))
    table.add("durable SQLite commits", Figure.count(limits.commits))
    table.add(
      "durable operations, \(limits.groupSize) a commit", Figure.count(limits.groupedOperations)
    )
    table.add("bare requests, 64 connections, client included", Figure.count(bare.rate))
    table.print()
  }

  // MARK: Sign-ins

  /// What one number of connections came to.
  private struct Load {
    let connections: Int
    let signInRate: Double
    let times: [Phone.Call: Sample]
    let processorMillisecondsEach: Double
    let residentMebibytes: Double
  }

  private func measureSignIns(
    _ limits: MachineLimits, request: Double
  ) throws(BenchFault) {
    var loads: [Load] = []
    for connections in Self.connectionCounts {
      note("Signing in over \(connections) connections …")
      loads.append(try load(connections))
    }
    var table = Table(
      "Whole sign-ins (password, code, token, jobs; the code read from the inbox)",
      "connections", "per second", "of Argon2id's limit", "server ms each", "memory MiB"
    )
    for load in loads {
      table.add(
        "\(load.connections)", Figure.count(load.signInRate),
        Figure.percent(load.signInRate / limits.passwordVerifications),
        Figure.milliseconds(load.processorMillisecondsEach / 1000),
        Figure.fixed(load.residentMebibytes, decimals: 1)
      )
    }
    table.print()
    for call in Phone.Call.allCases {
      printTimes(of: call, loads, limits.unavoidableSeconds(of: call, request: request))
    }
    try measureJobs(limits)
  }

  private func printTimes(of call: Phone.Call, _ loads: [Load], _ unavoidable: Double) {
    var table = Table(
      "\(call.rawValue): ms, and as a multiple of the \(Figure.milliseconds(unavoidable)) ms "
        + "of work it cannot do without",
      "connections", "P50", "", "P95", "", "P99", "", "calls"
    )
    for load in loads {
      let sample = load.times[call] ?? Sample()
      let cells = [0.5, 0.95, 0.99].map { sample.quantile($0) }
      table.add(
        "\(load.connections)",
        Figure.milliseconds(cells[0]), Figure.times(cells[0] / unavoidable),
        Figure.milliseconds(cells[1]), Figure.times(cells[1] / unavoidable),
        Figure.milliseconds(cells[2]), Figure.times(cells[2] / unavoidable),
        "\(sample.count)"
      )
    }
    table.print()
  }

  private func load(_ connections: Int) throws(BenchFault) -> Load {
    let server = server
    let people = people
    nonisolated(unsafe) let shared = server
    let before = server.processorSeconds
    let outcome = try Crowd.run(threads: connections, seconds: phaseSeconds) {
      (_, hasTime) throws(BenchFault) -> [Phone.Call: Sample] in
      let phone = try Phone(shared)
      while hasTime() {
        try phone.signIn(try Self.nextPerson(people))
        try phone.readJobs()
      }
      return phone.times
    }
    var times: [Phone.Call: Sample] = [:]
    for part in outcome.parts {
      for (call, sample) in part { times[call, default: Sample()].add(sample) }
    }
    let count = times[.token]?.count ?? 0
    return Load(
      connections: connections,
      signInRate: Double(count) / outcome.seconds,
      times: times,
      processorMillisecondsEach: (server.processorSeconds - before) * 1000 / Double(max(1, count)),
      residentMebibytes: server.residentMebibytes
    )
  }

  private static func nextPerson(_ people: Monitor<Int>) throws(BenchFault) -> LoadPerson {
    let number = people.withLock { number in
      number += 1
      return number - 1
    }
    guard number <= LoadPerson.limit else {
      throw BenchFault("every load account was used", hint: "measure for fewer seconds")
    }
    return LoadPerson(number: number)
  }

  /// Reading data, once people are signed in: what the server does most of the day.
  private func measureJobs(_ limits: MachineLimits) throws(BenchFault) {
    var table = Table(
      "Reading jobs (a token and a proof are verified each time)", "connections", "per second",
      "of ES256's limit", "P50 ms", "P95 ms", "P99 ms"
    )
    for connections in Self.connectionCounts {
      note("Reading jobs over \(connections) connections …")
      let people = people
      nonisolated(unsafe) let shared = server
      let phones = try (0..<connections).map { (_) throws(BenchFault) in
        let phone = try Phone(shared)
        try phone.signIn(try Self.nextPerson(people))
        return phone
      }
      nonisolated(unsafe) let signedIn = phones
      let outcome = try Crowd.run(threads: connections, seconds: phaseSeconds / 2) {
        (number, hasTime) throws(BenchFault) -> Sample in
        while hasTime() { try signedIn[number].readJobs() }
        return signedIn[number].times[.jobs] ?? Sample()
      }
      var sample = Sample()
      for part in outcome.parts { sample.add(part) }
      let rate = Double(sample.count) / outcome.seconds
      table.add(
        "\(connections)", Figure.count(rate),
        Figure.percent(rate * 2 / limits.signatureVerifications),
        Figure.milliseconds(sample.quantile(0.5)), Figure.milliseconds(sample.quantile(0.95)),
        Figure.milliseconds(sample.quantile(0.99))
      )
    }
    table.print()
  }

  // MARK: Known and unknown accounts

  /// T-03: a stranger must not learn from the time whether an account exists.
  private func compareTiming() throws(BenchFault) {
    let phone = try Phone(server)
    var known = Sample()
    var unknown = Sample()
    for round in 0..<(Self.timingSampleCount + 20) {
      let person = try Self.nextPerson(people)
      let stranger = "void" + person.email.dropFirst("load".utf8.count)
      // Who comes first changes, so that neither profits from the other's warm caches.
      for isKnown in round % 2 == 0 ? [true, false] : [false, true] {
        let email = isKnown ? person.email : stranger
        let (answer, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
          try phone.logIn(email: email, password: "wrong-guess")
        }
        guard answer["error"]?.text == "invalid_credentials" else {
          throw BenchFault("a wrong password was answered otherwise")
        }
        if round < 20 { continue }
        if isKnown { known.add(seconds) } else { unknown.add(seconds) }
      }
    }
    var table = Table(
      "Wrong password, \(known.count) of each, one after the other", "", "median ms", "P95 ms"
    )
    table.add(
      "known account", Figure.milliseconds(known.median),
      Figure.milliseconds(known.quantile(0.95))
    )
    table.add(
      "unknown account", Figure.milliseconds(unknown.median),
      Figure.milliseconds(unknown.quantile(0.95))
    )
    table.add("difference", Figure.milliseconds(known.median - unknown.median))
    table.add(
      "Kolmogorov–Smirnov p", Figure.fixed(known.kolmogorovSmirnov(unknown), decimals: 3)
    )
    table.print()
  }

  // MARK: Web app

  private func printWebSize() {
    let folder = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    let path = folder + "/web/technician-app/fieldpass.wasm"
    guard let plain = TextFile.size(path), let packed = TextFile.size(path + ".br") else { return }
    var table = Table("Web app", "", "bytes")
    table.add("WebAssembly", Figure.count(Double(plain)))
    table.add("WebAssembly, Brotli", Figure.count(Double(packed)))
    table.print()
  }
}
