import Glibc
import JSONText
import SignInWire
import Threads

/// Measures the machine and the server on it in one run.
struct Bench {
  static let connectionCounts = [1, 16, 64]
  static let restarts = 5
  static let timingPairs = 500
  /// Pairs that are thrown away: caches fill, memory is mapped.
  static let warmUpPairs = 20

  private let program: String
  private let phaseSeconds: Double
  private let folder: String
  private let server: ServerProcess
  /// The number of the next load account that no phase has used.
  private let people = Monitor<Int>(1)

  init(server program: String, folder: String, phaseSeconds: Double) {
    self.program = program
    self.folder = folder
    self.phaseSeconds = phaseSeconds
    server = ServerProcess(program: program, folder: folder)
  }

  func run() throws(BenchFault) {
    defer { server.stop() }
    let others = Self.loadAverage
    let before = try measureMachine()
    let start = try measureStart()
    let bare = try measureBareRequests()
    var signIns: [SignInLoad] = []
    var reading: [ReadingLoad] = []
    for connections in Self.connectionCounts { signIns.append(try signIn(connections)) }
    for what in Phone.Reading.allCases {
      for connections in Self.connectionCounts { reading.append(try read(what, connections)) }
    }
    let timing = try compareTiming()
    // A limit is the best that was seen: something else may have run during one of the two.
    let limits = before.best(with: try measureMachine())
    Report(
      loadAverage: others, limits: limits, start: start, bare: bare, signIns: signIns,
      reading: reading, timing: timing, web: webSize
    ).print()
  }

  private func measureMachine() throws(BenchFault) -> MachineLimits {
    note("Measuring the machine …")
    return try MachineLimits.measure(folder: folder, seconds: phaseSeconds / 2)
  }

  /// How many programs wanted a processor in the last minute.
  private static var loadAverage: Double {
    let text = TextFile.lines("/proc/loadavg").first ?? ""
    return text.split(separator: " ").first.flatMap { Double($0) } ?? 0
  }

  // MARK: Start

  private func measureStart() throws(BenchFault) -> StartFigures {
    note("Starting the server …")
    try server.start()
    let newSeconds = server.readySeconds
    try makePeople()
    var again = Sample()
    for _ in 0..<Self.restarts {
      server.stop()
      try server.start()
      again.add(server.readySeconds)
    }
    Stopwatch.pause(milliseconds: 1500)
    let before = server.processorSeconds
    Stopwatch.pause(milliseconds: 2000)
    return StartFigures(
      newDatabaseSeconds: newSeconds,
      knownDatabaseSeconds: again.median,
      idleMebibytes: server.residentMebibytes,
      idleProcessorShare: (server.processorSeconds - before) / 2
    )
  }

  private func makePeople() throws(BenchFault) {
    let body = JSON.members([JSONMember("count", Int64(LoadPerson.limit))]).utf8
    let reply = try HTTPConnection(port: server.port).send(
      "POST", Endpoint.developmentAccounts, fields: ["Content-Type: application/json"], body: body
    )
    guard reply.status == 200 else { throw BenchFault("no accounts were made: \(reply.status)") }
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

  // MARK: Load

  private func measureBareRequests() throws(BenchFault) -> BareRequests {
    note("Measuring bare requests …")
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
      connections: connections, rate: Double(count) / together.seconds,
      seconds: alone.parts.first?.median ?? 0
    )
  }

  private func signIn(_ connections: Int) throws(BenchFault) -> SignInLoad {
    note("Signing in over \(connections) connections …")
    let people = people
    let target = server.target
    let before = server.processorSeconds
    let outcome = try Crowd.run(threads: connections, seconds: phaseSeconds) {
      (_, hasTime) throws(BenchFault) -> [Phone.Call: Sample] in
      let phone = try Phone(target)
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
    let count = Double(max(1, times[.token]?.count ?? 0))
    return SignInLoad(
      connections: connections, rate: count / outcome.seconds, times: times,
      processorSecondsEach: (server.processorSeconds - before) / count,
      residentMebibytes: server.residentMebibytes
    )
  }

  /// Reading data, once people are signed in: what the server does most of the day.
  private func read(_ what: Phone.Reading, _ connections: Int) throws(BenchFault) -> ReadingLoad {
    note("\(what.rawValue), over \(connections) connections …")
    let (target, people, length) = (server.target, people, phaseSeconds / 2)
    let signedIn = Monitor<Int>(0)
    let busyBefore = Monitor<Double>(0)
    let outcome = try Crowd.run(threads: connections, seconds: length) {
      (_, _) throws(BenchFault) -> (sample: Sample, seconds: Double) in
      let phone = try Phone(target)
      do throws(BenchFault) {
        try phone.signIn(try Self.nextPerson(people))
        _ = try phone.read(what)
        busyBefore.withLock { $0 = max($0, target.processorSeconds) }
        Self.count(1, in: signedIn)
      } catch {
        Self.count(connections, in: signedIn)
        throw error
      }
      // Nobody reads before everybody is signed in.
      signedIn.wait { $0 >= connections ? () : nil }
      let began = Stopwatch.seconds
      var sample = Sample()
      while Stopwatch.seconds - began < length { sample.add(try phone.read(what)) }
      return (sample, Stopwatch.seconds - began)
    }
    let busy = target.processorSeconds - busyBefore.withLock { $0 }
    var sample = Sample()
    for part in outcome.parts { sample.add(part.sample) }
    let seconds = outcome.parts.map { $0.seconds }.max() ?? 1
    return ReadingLoad(
      what: what, connections: connections, rate: Double(sample.count) / seconds, times: sample,
      processorSecondsEach: busy / Double(max(1, sample.count))
    )
  }

  private static func count(_ arrived: Int, in monitor: Monitor<Int>) {
    monitor.withLock { $0 += arrived }
    monitor.wakeAll()
  }

  // MARK: Known and unknown accounts

  /// T-03: a stranger must not learn from the time whether an account exists.
  private func compareTiming() throws(BenchFault) -> TimingFigures {
    note("Comparing known and unknown accounts …")
    let phone = try Phone(server.target)
    var figures = TimingFigures()
    for round in 0..<(Self.timingPairs + Self.warmUpPairs) {
      let person = try Self.nextPerson(people)
      let stranger = "void" + person.email.dropFirst("load".utf8.count)
      // Who comes first changes, so that neither profits from the other's warm caches.
      for isKnown in round.isMultiple(of: 2) ? [true, false] : [false, true] {
        let email = isKnown ? person.email : stranger
        let (answer, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
          try phone.logIn(email: email, password: "wrong-guess")
        }
        guard answer["error"]?.text == "invalid_credentials" else {
          throw BenchFault("a wrong password was answered otherwise")
        }
        if round < Self.warmUpPairs { continue }
        if isKnown { figures.known.add(seconds) } else { figures.unknown.add(seconds) }
      }
    }
    return figures
  }

  // MARK: Web app

  /// Nil when the web app was not built.
  private var webSize: WebSize? {
    let parts = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let path = parts.joined(separator: "/") + "/web/technician-app/" + WebSize.fileName
    guard let plain = TextFile.size(path), let packed = TextFile.size(path + ".br") else {
      return nil
    }
    return WebSize(plainBytes: plain, brotliBytes: packed)
  }
}
