/// The times from the start of the process to its first answer, and its cost when idle.
struct StartFigures {
  let newDatabaseSeconds: Double
  let knownDatabaseSeconds: Double
  let idleMebibytes: Double
  let idleProcessorShare: Double

  func print(_ web: WebSize?) {
    var table = Table("Server", "", "")
    table.add("start to ready, new database", Figure.milliseconds(newDatabaseSeconds), "ms")
    table.add(
      "start to ready, \(Figure.count(Double(LoadPerson.limit))) accounts",
      Figure.milliseconds(knownDatabaseSeconds), "ms"
    )
    table.add("memory when idle", Figure.fixed(idleMebibytes, decimals: 1), "MiB")
    table.add("processor when idle", Figure.fixed(idleProcessorShare * 100, decimals: 1), "%")
    if let web {
      table.add("web app, WebAssembly", Figure.count(Double(web.plainBytes)), "bytes")
      table.add("web app, compressed by Brotli", Figure.count(Double(web.brotliBytes)), "bytes")
    }
    table.print()
  }
}

struct BareRequests {
  let connections: Int
  /// Per second, over all connections.
  let rate: Double
  /// The median time of one request alone, in seconds.
  let seconds: Double

  func print() {
    var table = Table("Requests that do nothing, client included", "", "per second", "median ms")
    table.add("\(connections) connections", Figure.count(rate), Figure.milliseconds(seconds))
    table.print()
  }
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

extension MachineLimits {
  /// `moment` says when they were measured.
  func print(_ moment: String) {
    var table = Table("Machine, \(cores) cores, \(moment): measured one by one", "", "per second")
    table.add("Argon2id verifications, 19 MiB", Figure.count(passwordVerifications))
    table.add("ES256 signatures", Figure.count(signatures))
    table.add("ES256 verifications", Figure.count(signatureVerifications))
    table.add("durable SQLite commits", Figure.count(commits))
    table.add(
      "durable operations, \(Self.groupSize) per commit", Figure.count(groupedOperations))
    table.print()
  }
}
