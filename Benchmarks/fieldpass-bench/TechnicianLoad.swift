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

/// What technicians do: sign in, read data, renew the session.
struct TechnicianLoad {
  var signIns: [SignInLoad] = []
  var reading: [ReadingLoad] = []
  var refreshing: [RefreshLoad] = []

  /// `bareRequestSeconds` is the time of one request that does nothing; without it, the times of
  /// the calls of a sign-in are not printed.
  func print(beside limits: MachineLimits, bareRequestSeconds: Double? = nil) {
    printSignIns(limits)
    if let bareRequestSeconds {
      for call in Phone.Call.ofTechnicians { printTimes(of: call, limits, bareRequestSeconds) }
    }
    for what in Phone.Reading.allCases { printReading(what, limits) }
    printRefreshing(limits)
  }

  /// The rates per processor with all processors busy, because only then they are meaningful.
  var bars: [Bar] {
    [
      rateBar(
        "O-05 product syncs without a change, 64 connections: 7,000 per second and core",
        busiest(.unchangedSync)?.processorSecondsEach, Bar.syncsPerCore),
      rateBar(
        "O-05 reads with a proof, 64 connections: 7,000 per second and core",
        busiest(.jobs)?.processorSecondsEach, Bar.readsPerCore),
      rateBar(
        "L-10 renewals of a session, 64 connections: 5,500 per second and core",
        busiestRefresh?.processorSecondsEach, Bar.renewalsPerCore),
    ]
  }

  /// The requests of a working day, and how many the server answered per second when it was busy.
  var busiestRates: [(request: SteadyLoad.Request, rate: Double)] {
    [
      (.read(.jobs), busiest(.jobs)?.rate ?? 1),
      (.read(.unchangedSync), busiest(.unchangedSync)?.rate ?? 1),
      (.refresh, busiestRefresh?.rate ?? 1),
    ]
  }

  private func busiest(_ what: Phone.Reading) -> ReadingLoad? {
    reading.filter { $0.what == what }.max { $0.connections < $1.connections }
  }

  private var busiestRefresh: RefreshLoad? {
    refreshing.max { $0.connections < $1.connections }
  }

  private func rateBar(_ name: String, _ secondsEach: Double?, _ limit: Double) -> Bar {
    let rate = 1 / (secondsEach ?? .infinity)
    return Bar(name, Figure.count(rate), isMet: rate >= limit)
  }

  private func printSignIns(_ limits: MachineLimits) {
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

  private func printTimes(
    of call: Phone.Call, _ limits: MachineLimits, _ requestSeconds: Double
  ) {
    let unavoidable = limits.unavoidableSeconds(of: call, request: requestSeconds)
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

  private func printReading(_ what: Phone.Reading, _ limits: MachineLimits) {
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

  private func printRefreshing(_ limits: MachineLimits) {
    var table = Table(
      "Renewing a session: one proof verified, one token signed, one durable operation",
      "connections", "per second", "server ms each", "per second and core", "of ES256's limit",
      "of the commits' limit", "P50 ms", "P95 ms", "P99 ms"
    )
    let signing = 1 / limits.signatures + 1 / limits.signatureVerifications
    for load in refreshing {
      // The load generator uses the same cores, so the server's own work is shown separately.
      let perCore = 1 / load.processorSecondsEach
      table.add(
        "\(load.connections)", Figure.count(load.rate),
        Figure.fixed(load.processorSecondsEach * 1000, decimals: 3), Figure.count(perCore),
        Figure.percent(perCore * signing * Double(limits.cores)),
        Figure.percent(load.rate / limits.groupedOperations),
        Figure.milliseconds(load.times.quantile(0.5)),
        Figure.milliseconds(load.times.quantile(0.95)),
        Figure.milliseconds(load.times.quantile(0.99))
      )
    }
    table.print()
  }
}
