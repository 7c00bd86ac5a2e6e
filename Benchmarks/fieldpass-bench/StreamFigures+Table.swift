extension StreamFigures {
  func print() {
    var table = Table("Requests that wait for account updates", "", "")
    table.add("open in parallel", Figure.count(Double(count)), "")
    table.add("answered without an account update", "\(answeredEarly)", "")
    table.add("server memory per request", Figure.fixed(kilobytesEach, decimals: 2), "kB")
    table.add("opened per second", Figure.count(Double(count) / openingSeconds), "")
    table.add(
      "processor while all wait", Figure.fixed(idleProcessorShare * 100, decimals: 1), "%"
    )
    table.add("answered 200 at the stop order", "\(answeredAtStop)", "")
    table.add("stop order to end", Figure.milliseconds(stoppingSeconds), "ms")
    table.print()
  }
}
