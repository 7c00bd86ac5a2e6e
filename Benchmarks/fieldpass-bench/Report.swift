/// The times from the start of the process to its first answer, and its cost when idle.
struct StartFigures {
  let newDatabaseSeconds: Double
  let knownDatabaseSeconds: Double
  let idleMebibytes: Double
  let idleProcessorShare: Double
}

struct BareRequests {
  let connections: Int
  /// Per second, over all connections.
  let rate: Double
  /// The median time of one request alone, in seconds.
  let seconds: Double
}

/// The results for one number of connections.
struct SignInLoad {
  let connections: Int
  /// Complete sign-ins per second.
  let rate: Double
  let times: [Phone.Call: Sample]
  let processorSecondsEach: Double
  let residentMebibytes: Double
}

struct ReadingLoad {
  let what: Phone.Reading
  let connections: Int
  let rate: Double
  let times: Sample
  let processorSecondsEach: Double
}

struct RefreshLoad {
  let connections: Int
  let rate: Double
  let times: Sample
  let processorSecondsEach: Double
}

/// The cost of the requests with which apps wait for the end of their session.
struct StreamFigures {
  let count: Int
  let answeredEarly: Int
  let openingSeconds: Double
  /// The server's memory per request, including its connection.
  let kilobytesEach: Double
  let idleProcessorShare: Double
  /// The seconds from the stop order to the end of the process, with every request answered.
  let stoppingSeconds: Double
  let answeredAtStop: Int
}

struct WebSize {
  static let fileName = "core.wasm"

  let plainBytes: Int
  let brotliBytes: Int
}

/// All results of one run, as tables on standard output.
struct Report {
  let loadAverage: Double
  let limits: MachineLimits
  let start: StartFigures
  let bare: BareRequests
  let signIns: [SignInLoad]
  let reading: [ReadingLoad]
  let refreshing: [RefreshLoad]
  let enumeration: Enumeration
  let arrivals: (busy: OpenLoopLoad.Outcome, excessive: OpenLoopLoad.Outcome)
  let riders: RiderLoad
  let streams: StreamFigures
  let messages: MessageFigures
  let providers: IdentityProviderLoad
  let copies: [OfflineCopyTimes]
  let hostile: HostileLoad
  let web: WebSize?

  func print() {
    printMachine()
    printServer()
    printSignIns()
    for call in Phone.Call.ofTechnicians { printTimes(of: call) }
    for what in Phone.Reading.allCases { printReading(what) }
    printRefreshing()
    printArrivals()
    riders.print(beside: limits)
    riders.printMemory()
    printStreams()
    printEnumeration()
    messages.print(beside: limits)
    providers.print(beside: limits)
    OfflineCopyTimes.print(copies)
    hostile.print()
    printBars()
  }

  private func printMachine() {
    var table = Table("Machine, \(limits.cores) cores: measured one by one", "", "per second")
    table.add("Argon2id verifications, 19 MiB", Figure.count(limits.passwordVerifications))
    table.add("ES256 signatures", Figure.count(limits.signatures))
    table.add("ES256 verifications", Figure.count(limits.signatureVerifications))
    table.add("durable SQLite commits", Figure.count(limits.commits))
    table.add(
      "durable operations, \(MachineLimits.groupSize) per commit",
      Figure.count(limits.groupedOperations)
    )
    table.add(
      "bare requests, \(bare.connections) connections, client included", Figure.count(bare.rate)
    )
    table.add(
      "load average before this run", Figure.fixed(loadAverage, decimals: 1)
    )
    table.print()
  }

  private func printServer() {
    var table = Table("Server", "", "")
    table.add(
      "start to ready, new database", Figure.milliseconds(start.newDatabaseSeconds), "ms"
    )
    table.add(
      "start to ready, \(Figure.count(Double(LoadPerson.limit))) accounts",
      Figure.milliseconds(start.knownDatabaseSeconds), "ms"
    )
    table.add("memory when idle", Figure.fixed(start.idleMebibytes, decimals: 1), "MiB")
    table.add("processor when idle", Figure.fixed(start.idleProcessorShare * 100, decimals: 1), "%")
    if let web {
      table.add("web app, WebAssembly", Figure.count(Double(web.plainBytes)), "bytes")
      table.add("web app, compressed by Brotli", Figure.count(Double(web.brotliBytes)), "bytes")
    }
    table.print()
  }

  private func printSignIns() {
    var table = Table(
      "Complete sign-ins: password, code, token, then jobs once. The code comes from the inbox.",
      "connections", "per second", "of Argon2id's limit", "server ms each", "Argon2id share",
      "memory MiB"
    )
    // The load generator uses the same cores, so the server's own work is shown separately.
    let hashing = Double(limits.cores) / limits.passwordVerifications
    for load in signIns {
      table.add(
        "\(load.connections)", Figure.count(load.rate),
        Figure.percent(load.rate / limits.passwordVerifications),
        Figure.milliseconds(load.processorSecondsEach),
        Figure.percent(hashing / load.processorSecondsEach),
        Figure.fixed(load.residentMebibytes, decimals: 1)
      )
    }
    table.print()
  }

  private func printTimes(of call: Phone.Call) {
    let unavoidable = limits.unavoidableSeconds(of: call, request: bare.seconds)
    var table = Table(
      "\(call.rawValue): ms, and as a multiple of the \(Figure.milliseconds(unavoidable)) ms "
        + "of necessary work",
      "connections", "P50", "", "P95", "", "P99", "", "calls"
    )
    for load in signIns {
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

  private func printReading(_ what: Phone.Reading) {
    var table = Table(
      "\(what.rawValue). A token and a proof are verified each time.", "connections",
      "per second", "server ms each", "per core and second", "of ES256's limit", "P50 ms",
      "P95 ms", "P99 ms"
    )
    // The load generator signs its proofs on the same cores, so the server's own work is shown
    // separately.
    for load in reading where load.what == what {
      table.add(
        "\(load.connections)", Figure.count(load.rate),
        Figure.milliseconds(load.processorSecondsEach),
        Figure.count(1 / load.processorSecondsEach),
        Figure.percent(load.rate * 2 / limits.signatureVerifications),
        Figure.milliseconds(load.times.quantile(0.5)),
        Figure.milliseconds(load.times.quantile(0.95)),
        Figure.milliseconds(load.times.quantile(0.99))
      )
    }
    table.print()
  }
}
