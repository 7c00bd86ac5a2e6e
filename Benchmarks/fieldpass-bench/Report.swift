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
  let technicians: TechnicianLoad
  let enumeration: Enumeration
  let arrivals: (busy: OpenLoopLoad.Outcome, excessive: OpenLoopLoad.Outcome)
  let riders: RiderLoad
  let streams: StreamFigures
  let messages: MessageFigures
  let providers: IdentityProviderLoad
  let administrators: AdministratorLoad
  let copies: [OfflineCopyTimes]
  let coldStart: ColdStart
  let hostile: HostileLoad
  let web: WebSize?

  func print() {
    printMachine()
    printServer()
    technicians.print(beside: limits, bareRequestSeconds: bare.seconds)
    printArrivals()
    riders.print(beside: limits)
    riders.printMemory()
    printStreams()
    printEnumeration()
    messages.print(beside: limits)
    providers.print(beside: limits)
    administrators.print()
    OfflineCopyTimes.print(copies)
    coldStart.print()
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
}
