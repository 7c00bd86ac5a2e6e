import Glibc
import JSONText
import SignInWire
import Threads

/// Measures an administrator who opens the overview and searches, beside people who sign in.
struct AdministratorLoad {
  static let searchesPerSecond = 10.0

  /// The requests of the console.
  enum Call: String, CaseIterable {
    case overview = "overview"
    case page = "first page of the accounts"
    case search = "search: one account matches"
    case frequent = "search: every account matches"
    case missing = "search: no account matches"

    static let searches = [Call.search, .frequent, .missing]

    var path: String {
      self == .overview ? Endpoint.adminOverview.path : Endpoint.adminAccounts.path
    }

    var query: String {
      switch self {
      case .overview, .page: ""
      case .search: Self.accounts("Person 711 of many")
      case .frequent: Self.accounts("of many")
      case .missing: Self.accounts("zebra")
      }
    }

    private static func accounts(_ text: String) -> String {
      AccountsQuery { $0.text = text }.form.encoded
    }
  }

  /// The number of imported accounts.
  let accounts: Int
  private(set) var times: [Call: Sample] = [:]
  /// Complete sign-ins of technicians, alone and beside searches.
  private(set) var alone = Sample()
  private(set) var beside = Sample()
  private(set) var searches = 0

  init(accounts: Int) { self.accounts = accounts }

  /// Imports the accounts with the program's command, beside the running server.
  static func importAccounts(
    _ accounts: Int, into server: ServerProcess
  ) throws(BenchFault) {
    var text = "name,role,email,phone_number\n"
    for number in 0..<accounts {
      text += "Person \(number) of many,technician,many-\(number)@example.com,\(phone(number))\n"
    }
    try server.importAccounts(text)
  }

  /// These numbers are in no block of the demo's accounts.
  private static func phone(_ number: Int) -> String { "+1556\(1_000_000 + number)" }

  static func measure(
    _ target: ServerProcess.Target, _ size: BenchSize,
    next: @escaping @Sendable () throws(BenchFault) -> LoadPerson
  ) throws(BenchFault) -> AdministratorLoad {
    let administrator = try Phone(target, .console)
    try administrator.signInAsAdministrator()
    var load = AdministratorLoad(accounts: size.importedAccounts)
    for call in Call.allCases {
      for _ in 0..<size.consoleRequests {
        load.times[call, default: Sample()].add(try administrator.read(call))
      }
    }
    // The two cases alternate, so that other work of the machine affects both equally.
    for round in 0..<size.consoleRounds {
      try load.signIn(
        target, seconds: size.phaseSeconds / 2, searching: round % 2 == 1 ? administrator : nil,
        next)
    }
    return load
  }

  private mutating func signIn(
    _ target: ServerProcess.Target, seconds: Double, searching administrator: Phone?,
    _ next: @escaping @Sendable () throws(BenchFault) -> LoadPerson
  ) throws(BenchFault) {
    let searches = administrator.map { Searches($0) }
    let outcome = try ParallelLoad.run(threads: searches == nil ? 1 : 2, seconds: seconds) {
      (number, hasTime) throws(BenchFault) -> (signIns: Sample, searches: Int) in
      if number == 1, let searches { return (Sample(), try searches.run(while: hasTime)) }
      let phone = try Phone(target)
      var signIns = Sample()
      while hasTime() {
        try phone.signIn(try next())
        signIns.add(phone.takeTimes().values.reduce(0) { $0 + $1.total })
      }
      return (signIns, 0)
    }
    for part in outcome.parts {
      if administrator == nil { alone.add(part.signIns) } else { beside.add(part.signIns) }
      self.searches += part.searches
    }
  }

  /// The searches of one administrator, at a constant rate.
  ///
  /// One thread uses the phone at a time.
  private struct Searches: @unchecked Sendable {
    private let administrator: Phone

    init(_ administrator: Phone) { self.administrator = administrator }

    func run(while hasTime: () -> Bool) throws(BenchFault) -> Int {
      let began = Stopwatch.seconds
      var count = 0
      while hasTime() {
        _ = try administrator.read(Call.searches[count % Call.searches.count])
        count += 1
        Stopwatch.pause(until: began + Double(count) / AdministratorLoad.searchesPerSecond)
      }
      return count
    }
  }
}

// MARK: - Figures

extension AdministratorLoad {
  func print() {
    var table = Table(
      "The console over \(Figure.count(Double(accounts))) accounts, one request at a time",
      "", "P50 ms", "P95 ms", "requests")
    for call in Call.allCases {
      let sample = times[call] ?? Sample()
      table.add(
        call.rawValue, Figure.milliseconds(sample.median),
        Figure.milliseconds(sample.quantile(0.95)), "\(sample.count)")
    }
    table.print()
    var signIns = Table(
      "Sign-ins of technicians beside \(Int(Self.searchesPerSecond)) searches a second",
      "", "P50 ms", "P95 ms", "sign-ins", "searches")
    for (name, sample, count) in [("alone", alone, 0), ("beside searches", beside, searches)] {
      signIns.add(
        name, Figure.milliseconds(sample.median), Figure.milliseconds(sample.quantile(0.95)),
        "\(sample.count)", "\(count)")
    }
    signIns.print()
  }

  var bars: [Bar] {
    let slowest = times.values.map { $0.quantile(0.95) }.max() ?? 0
    let growth = beside.quantile(0.95) / alone.quantile(0.95)
    return [
      Bar(
        "T-16 overview and search over 100,000 accounts: P95 under 50 ms",
        Figure.milliseconds(slowest), isMet: !times.isEmpty && slowest < Bar.searchSeconds),
      Bar(
        "T-16 P95 of a sign-in beside ten searches a second: at most 10 % longer",
        Figure.fixed(growth, decimals: 2), isMet: searches > 0 && growth <= Bar.searchGrowth),
    ]
  }
}
