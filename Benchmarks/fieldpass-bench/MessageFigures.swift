/// The results of one run for text messages.
struct MessageFigures {
  let outbox: OutboxLoad
  /// With a provider that answers, and with a hanging provider before it.
  let answering: ProviderLoad
  let hanging: ProviderLoad

  func print(beside limits: MachineLimits) {
    var through = Table("Text messages: codes recorded and handed over, one durable store", "", "")
    through.add("codes per second", Figure.count(outbox.rate))
    through.add("commits of the machine, one per operation", Figure.count(limits.commits))
    through.add("codes per such commit", Figure.times(outbox.rate / limits.commits))
    through.add(
      "of the limit with \(MachineLimits.groupSize) operations per commit, three per code",
      Figure.percent(outbox.rate * OutboxLoad.operationsEach / limits.groupedOperations)
    )
    through.print()

    var table = Table(
      "Code requests, \(ProviderLoad.requestsPerSecond) per second: times from the planned start",
      "", "P50 ms", "P95 ms", "P99 ms", "count"
    )
    for (name, sample) in [
      ("answer", answering.requests), ("message at its provider", answering.beginnings),
      ("answer, while the first provider hangs", hanging.requests),
      ("message at a provider, while the first hangs", hanging.beginnings),
      ("hand-over in the outbox alone", outbox.beginnings),
      ("the same, every second message to a hanging messenger", outbox.besideHanging),
    ] {
      table.add(
        name, Figure.milliseconds(sample.median), Figure.milliseconds(sample.quantile(0.95)),
        Figure.milliseconds(sample.quantile(0.99)), "\(sample.count)"
      )
    }
    table.print()
  }

  var bars: [Bar] {
    let (with, without) = (hanging.requests.quantile(0.95), answering.requests.quantile(0.95))
    let limit = max(without * Bar.hangingShare, without + Bar.hangingSeconds)
    return [
      Bar(
        "R-12 codes through the outbox, one durable store: 1,000 per second",
        Figure.count(outbox.rate), isMet: outbox.rate >= Bar.codesPerSecond
      ),
      handOverBar(
        "R-12 hand-over begins within 50 ms (P95) of the request, at 100 per second",
        answering.beginnings
      ),
      handOverBar("R-12 the same in the outbox alone", outbox.beginnings),
      handOverBar("R-12 the same beside a provider that hangs", outbox.besideHanging),
      Bar(
        "R-09 L-07 a provider that hangs for 10 s delays no request: P95 with it, and without",
        "\(Figure.milliseconds(with)), \(Figure.milliseconds(without))",
        isMet: hanging.requests.count > 0 && with <= limit
      ),
    ]
  }

  private func handOverBar(_ name: String, _ sample: Sample) -> Bar {
    let seconds = sample.quantile(0.95)
    return Bar(
      name, Figure.milliseconds(seconds), isMet: sample.count > 0 && seconds < Bar.handOverSeconds
    )
  }
}
