/// Technicians who arrive as on a busy day, and far more of them than the machine can take.
struct Arrivals {
  let busy: OpenLoopLoad.Outcome
  let excessive: OpenLoopLoad.Outcome

  func print(_ limits: MachineLimits) {
    var table = Table(
      "Technicians in an open loop: the login from the arrival time, without reading the code",
      "hashing pool busy", "per second", "arrived", "logins", "P50 ms", "P95 ms",
      "503 + Retry-After", "other failures", "server processors"
    )
    for outcome in [busy, excessive] {
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
    for (why, count) in busy.failures.merging(
      excessive.failures, uniquingKeysWith: +)
    {
      note("fieldpass-bench: \(count) arrivals ended with: \(why)")
    }
  }

  var bars: [Bar] {
    let login = busy.logins.quantile(0.95)
    return [
      Bar(
        "T-13 complete technician login, hashing pool 80 % busy: P95 under 500 ms",
        "\(Figure.milliseconds(login)) at \(Figure.percent(busy.hashingShare))",
        isMet: busy.logins.count > 0 && login < Bar.loginSeconds
          && abs(busy.hashingShare - Bench.busyShare) <= Bench.busyTolerance
      ),
      Bar(
        "T-13 no login refused when the hashing pool is 80 % busy",
        "\(busy.count - busy.logins.count) of \(busy.count)",
        isMet: busy.logins.count == busy.count
      ),
      Bar(
        "T-13 at twice the hashing limit: success, or 503 with Retry-After, never a time-out",
        "\(excessive.failureCount + excessive.refusals.count - excessive.cleanRefusals) otherwise",
        isMet: excessive.failureCount == 0
          && excessive.cleanRefusals == excessive.refusals.count && excessive.logins.count > 0
      ),
    ]
  }
}
