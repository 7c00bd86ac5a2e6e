extension Report {
  /// A refresh verifies one proof, signs two tokens and waits for one commit.
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
