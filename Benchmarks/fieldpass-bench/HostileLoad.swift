import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInScreens
import SignInWire
import TextMessengers

/// The cost of hostile input: for each parser alone, for each request at the server, and for other
/// requests during six parallel attacks (L-35).
struct HostileLoad {
  static let rounds = 20
  static let attackers = 6
  /// The seconds of the attack.
  static let attackSeconds = 3.0

  struct Parser {
    let name: String
    /// The input with the highest cost per KiB.
    var worst = ""
    var secondsPerKibibyte = 0.0
    var seconds = 0.0
  }

  private(set) var parsers: [Parser] = []
  private(set) var requests: [(request: HostileInput.Request, times: Sample)] = []
  /// The accepted requests.
  ///
  /// Their time is that of a commit, which no event loop waits for.
  private var taken: Set<String> = []
  /// The time of a liveness request during the attack.
  private(set) var alive = Sample()

  var worstSeconds: Double {
    requests.filter { !taken.contains($0.request.name) }.map { $0.times.median }.max() ?? 0
  }

  static func measure(_ server: ServerProcess) throws(BenchFault) -> HostileLoad {
    var load = HostileLoad()
    load.measureParsers()
    let port = server.port
    for request in HostileInput.requests {
      let connection = try HTTPConnection(port: port)
      var times = Sample()
      for _ in 0..<rounds {
        let (seconds, isTaken) = try send(request, over: connection)
        times.add(seconds)
        if isTaken { load.taken.insert(request.name) }
      }
      load.requests.append((request, times))
    }
    load.alive = try attack(port)
    return load
  }

  /// The seconds from the first byte to the last byte of the answer, and whether the request was
  /// accepted.
  private static func send(
    _ request: HostileInput.Request, over connection: HTTPConnection
  ) throws(BenchFault) -> (seconds: Double, isTaken: Bool) {
    let (reply, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
      try connection.send(
        request.method, request.path, fields: request.fields, body: request.body
      )
    }
    guard reply.status < 500 else {
      throw BenchFault("\(request.name) was answered \(reply.status)")
    }
    return (seconds, reply.status < 400)
  }

  /// Six connections send the slowest requests in turn, while a seventh sends liveness requests.
  private static func attack(_ port: UInt16) throws(BenchFault) -> Sample {
    let outcome = try ParallelLoad.run(threads: attackers + 1, seconds: attackSeconds) {
      (index, hasTime) throws(BenchFault) -> Sample in
      let connection = try HTTPConnection(port: port)
      var sample = Sample()
      var round = index
      while hasTime() {
        if index == attackers {
          let (_, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
            try connection.send("GET", Endpoint.alive.path)
          }
          sample.add(seconds)
        } else {
          let request = HostileInput.requests[round % HostileInput.requests.count]
          _ = try send(request, over: connection)
          round += 1
        }
      }
      return index == attackers ? sample : Sample()
    }
    var alive = Sample()
    for part in outcome.parts { alive.add(part) }
    return alive
  }
}

// MARK: - Parsers alone

extension HostileLoad {
  private mutating func measureParsers() {
    let documents = HostileInput.documents
    let now = Instant(seconds: 1_800_000_000)
    measure("JSON of a request", documents) { Self.read($0, .request) }
    measure("JSON of a token", documents.map { ($0.name, Array($0.bytes.prefix(8 << 10))) }) {
      Self.read($0, .token)
    }
    measure("form", HostileInput.forms) { Self.readForm($0) }
    for sender in ProviderBytes.Sender.allCases {
      measure("receipts of \(sender)", documents + HostileInput.forms) {
        _ = ProviderBytes.receipt($0, from: sender, isProved: true, at: now)
      }
    }
    let enquiry: [UInt8] = [0, 0, 0, 16, 0, 0, 0, 0x15, 0, 0, 0, 0, 0, 0, 0, 1]
    let length: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1]
    measure(
      "SMPP units",
      [
        ("enquiries", (0..<4096).flatMap { _ in enquiry }),
        ("one receipt", length + [UInt8](repeating: 4, count: (64 << 10) - 16)),
        ("options", length + (0..<16_380).flatMap { _ in [UInt8](repeating: 0, count: 4) }),
      ]
    ) { _ = ProviderBytes.converse($0, at: now) }
    measure("events of a page", documents) {
      var app = JSONApp<JobsHome>()
      _ = app.handle($0)
    }
  }

  private mutating func measure(
    _ name: String, _ inputs: [(name: String, bytes: [UInt8])], _ read: ([UInt8]) -> Void
  ) {
    var parser = Parser(name: name)
    for input in inputs {
      var times = Sample()
      for _ in 0..<Self.rounds { times.add(Stopwatch.seconds { read(input.bytes) }.seconds) }
      let share = times.median / (Double(input.bytes.count) / 1024)
      if share > parser.secondsPerKibibyte {
        parser.worst = input.name
        parser.secondsPerKibibyte = share
        parser.seconds = times.median
      }
    }
    parsers.append(parser)
  }

  private static func read(_ bytes: [UInt8], _ limits: JSONLimits) {
    do throws(JSONMalformed) { _ = try JSONReader.read(bytes, within: limits) } catch { return }
  }

  private static func readForm(_ bytes: [UInt8]) {
    do throws(Form.Fault) { _ = try Form(parsing: bytes) } catch { return }
  }
}

// MARK: - Report

extension HostileLoad {
  func print() {
    var parserTable = Table(
      "Hostile input, each parser alone: the input with the highest cost per KiB", "",
      "µs per KiB", "ms in total", "input"
    )
    for parser in parsers {
      parserTable.add(
        parser.name, Figure.fixed(parser.secondsPerKibibyte * 1e6, decimals: 1),
        Figure.milliseconds(parser.seconds), parser.worst
      )
    }
    parserTable.print()
    var table = Table(
      "Hostile requests without credentials, from the first byte to the answer", "", "KiB",
      "median ms", "P95 ms", "µs per KiB"
    )
    for (request, times) in requests {
      let size = Double(request.byteCount) / 1024
      table.add(
        request.name, Figure.fixed(size, decimals: 1), Figure.milliseconds(times.median),
        Figure.milliseconds(times.quantile(0.95)),
        Figure.fixed(times.median / size * 1e6, decimals: 1)
      )
    }
    table.print()
    var aliveTable = Table(
      "Liveness requests while \(Self.attackers) connections send hostile ones", "requests",
      "median ms", "P95 ms", "longest ms"
    )
    aliveTable.add(
      Endpoint.alive.path, "\(alive.count)", Figure.milliseconds(alive.median),
      Figure.milliseconds(alive.quantile(0.95)), Figure.milliseconds(alive.quantile(1))
    )
    aliveTable.print()
  }

  var bars: [Bar] {
    [
      Bar(
        "L-35 the slowest refused request, including its round trip: under 5 ms",
        Figure.milliseconds(worstSeconds), isMet: worstSeconds < Bar.hostileSeconds
      ),
      Bar(
        "L-35 /livez during hostile requests on six connections: under 50 ms",
        Figure.milliseconds(alive.quantile(1)),
        isMet: alive.count > 0 && alive.quantile(1) < Bar.aliveSeconds
      ),
    ]
  }
}
