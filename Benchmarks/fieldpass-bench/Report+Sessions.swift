extension Report {
  /// A refresh verifies one proof, signs two tokens and waits for one commit.
  func printRefreshing() {
    var table = Table(
      "Renewing a session: one proof verified, two tokens signed, one durable operation",
      "connections", "per second", "server ms each", "per second and core", "of ES256's limit",
      "of the commits' limit", "P50 ms", "P95 ms", "P99 ms"
    )
    let signing = 2 / limits.signatures + 1 / limits.signatureVerifications
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

  func printStreams() {
    var table = Table("Requests that wait for account updates", "", "")
    table.add("open in parallel", Figure.count(Double(streams.count)), "")
    table.add("answered without an account update", "\(streams.answeredEarly)", "")
    table.add("server memory per request", Figure.fixed(streams.kilobytesEach, decimals: 2), "kB")
    table.add("opened per second", Figure.count(Double(streams.count) / streams.openingSeconds), "")
    table.add(
      "processor while all wait", Figure.fixed(streams.idleProcessorShare * 100, decimals: 1), "%"
    )
    table.add("answered 200 at the stop order", "\(streams.answeredAtStop)", "")
    table.add("stop order to end", Figure.milliseconds(streams.stoppingSeconds), "ms")
    table.print()
  }
}
