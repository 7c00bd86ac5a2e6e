extension Report {
  func printArrivals() {
    var table = Table(
      "Technicians in an open loop: the login from the arrival time, without reading the code",
      "hashing pool busy", "per second", "arrived", "logins", "P50 ms", "P95 ms",
      "503 + Retry-After", "other failures", "server processors"
    )
    for outcome in [arrivals.busy, arrivals.excessive] {
      table.add(
        Figure.percent(outcome.hashingShare), Figure.count(outcome.rate), "\(outcome.count)",
        "\(outcome.logins.count)",
        Figure.milliseconds(outcome.logins.median),
        Figure.milliseconds(outcome.logins.quantile(0.95)),
        "\(outcome.cleanRefusals) of \(outcome.refusals.count)", "\(outcome.failureCount)",
        Figure.percent(outcome.processorSeconds / (outcome.seconds * Double(limits.cores)))
      )
    }
    table.print()
    for (why, count) in arrivals.busy.failures.merging(
      arrivals.excessive.failures, uniquingKeysWith: +)
    {
      note("fieldpass-bench: \(count) arrivals ended with: \(why)")
    }
  }

  func printEnumeration() {
    var table = Table(
      "The same answer to different accounts, \(Enumeration.samples) times each, in random order",
      "", "median ms", "P95 ms", "difference ms", "Kolmogorov–Smirnov p"
    )
    for kind in Enumeration.Kind.allCases {
      let sample = enumeration.samples[kind] ?? Sample()
      let twin = enumeration.samples[kind.twin] ?? Sample()
      table.add(
        kind.rawValue, Figure.milliseconds(sample.median),
        Figure.milliseconds(sample.quantile(0.95)),
        kind == kind.twin ? "" : Figure.fixed((sample.median - twin.median) * 1000, decimals: 3),
        kind == kind.twin ? "" : Figure.fixed(sample.kolmogorovSmirnov(twin), decimals: 3)
      )
    }
    table.print()
  }
}
