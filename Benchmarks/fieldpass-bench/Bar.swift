/// A required value of a figure.
///
/// Its name starts with the requirement that it measures. `Scripts/requirements` reads it there.
struct Bar {
  let name: String
  let figure: String
  let isMet: Bool

  init(_ name: String, _ figure: String, isMet: Bool) {
    self.name = name
    self.figure = figure
    self.isMet = isMet
  }
}

extension Bar {
  static func print(_ bars: [Bar]) {
    var table = Table("Bars", "", "measured", "")
    for bar in bars { table.add(bar.name, bar.figure, bar.isMet ? "met" : "missed") }
    table.print()
  }

  /// The time limit of one hostile request, and of other requests during six parallel hostile ones.
  static let hostileSeconds = 0.005
  static let aliveSeconds = 0.05
  static let codesPerSecond = 1000.0
  static let handOverSeconds = 0.05
  /// How much slower requests may be beside a provider that hangs.
  ///
  /// Two equal runs differ by as much.
  static let hangingShare = 1.25
  static let hangingSeconds = 0.002
  /// The processor time of a sign-in at an identity provider.
  ///
  /// The share says how much slower other requests may be while a provider hangs.
  static let providerSignInSeconds = 0.005
  static let hangingProviderShare = 0.05
  /// The time of one request of the console over many accounts, and how much slower sign-ins may be
  /// beside ten of them a second.
  static let searchSeconds = 0.05
  static let searchGrowth = 1.1
  static let otpSeconds = 0.2
  static let busyOTPSeconds = 0.02
  static let loginSeconds = 0.5
  static let riderLoginSeconds = 3.0
  static let shareOfLimit = 0.5
  /// Delta syncs without a change, per second of the server's processor time.
  static let syncsPerCore = 5000.0
  /// The time from the sealed file to the first rows, by the number of products.
  static let offlineSeconds = [60: 0.005, 10_000: 0.1]
  /// The time from the stored session of a Swift app to its first request.
  static let coldStartSeconds = 0.005
  /// The allowed growth of memory.
  ///
  /// The allocator keeps some freed memory.
  static let memoryGrowth = 1.1
  /// Significance level of the Kolmogorov–Smirnov test: below it, the times of two kinds of
  /// accounts count as different.
  static let enumerationP = 0.01
}

extension Report {
  func printBars() {
    Bar.print(
      bars + hostile.bars + riders.bars(beside: limits) + messages.bars + providers.bars
        + administrators.bars)
  }

  private var bars: [Bar] {
    let login = arrivals.busy.logins.quantile(0.95)
    let (busy, excessive) = (arrivals.busy, arrivals.excessive)
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
      syncBar,
    ] + copies.map { offlineCopyBar($0) } + [
      coldStart.bar,
      memoryBar,
      enumerationBar("T-03 L-12 wrong password: known, unknown, deactivated equal", of: .known),
      enumerationBar("T-03 L-12 locked: known and unknown equal", of: .locked),
      enumerationBar("T-03 L-12 forgot password: known and unknown equal", of: .forgotten),
    ]
  }

  /// The rate of requests without a validator, with all processors busy.
  ///
  /// Only then is a rate per processor meaningful.
  private var syncBar: Bar {
    let syncs = technicians.reading.filter { $0.what == .sync }
    let busiest = syncs.max { $0.connections < $1.connections }
    let rate = 1 / (busiest?.processorSecondsEach ?? .infinity)
    return Bar(
      "O-05 product syncs without a change, 64 connections: 5,000 per second and core",
      Figure.count(rate),
      isMet: rate >= Bar.syncsPerCore
    )
  }

  private func offlineCopyBar(_ list: OfflineCopyTimes) -> Bar {
    let limit = Bar.offlineSeconds[list.count] ?? 0
    return Bar(
      "O-09 \(list.count) products, opened records to first rows: under"
        + " \(Figure.milliseconds(limit)) ms",
      Figure.milliseconds(list.times.median), isMet: list.times.median < limit
    )
  }

  private var memoryBar: Bar {
    let held = riders.memory.map { $0.mebibytes }
    let growth = (held.last ?? 0) / max(held.first ?? 0, 1)
    return Bar(
      "L-13 memory after 100,000 sign-ins: at most 10 % more than after 10,000",
      Figure.times(growth), isMet: held.count > 1 && growth <= Bar.memoryGrowth
    )
  }

  private func enumerationBar(_ name: String, of twin: Enumeration.Kind) -> Bar {
    let others = Enumeration.Kind.allCases.filter { $0.twin == twin && $0 != twin }
    let base = enumeration.samples[twin] ?? Sample()
    let p = others.map { (enumeration.samples[$0] ?? Sample()).kolmogorovSmirnov(base) }.min() ?? 0
    return Bar(name, "p \(Figure.fixed(p, decimals: 3))", isMet: p >= Bar.enumerationP)
  }
}
