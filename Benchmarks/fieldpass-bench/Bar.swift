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
  /// Calls per second of the server's processor time.
  static let syncsPerCore = 7000.0
  static let readsPerCore = 7000.0
  static let renewalsPerCore = 5500.0
  static let riderSignInsPerCore = 1500.0
  /// The P95 and the P99 of calls at half of the capacity, from the moment when they were due.
  static let steadySeconds = 0.005
  static let steadyTailSeconds = 0.01
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
