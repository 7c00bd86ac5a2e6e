import Cryptography
import Glibc
import SQLStore
import SignInModel
import SignInService
import SystemPorts
import Threads

/// `fieldpass capacity`: measures what people add to a store, and plans with it.
enum CapacityCommand {
  /// The people with whom the costs are measured.
  private static let people = 1000
  private static let standardAccounts: [Int64] = [1_000_000, 10_000_000, 100_000_000]
  private static let accountLimits: ClosedRange<Int64> = 1...1_000_000_000

  struct Options {
    var accounts: [Int64] = []
    var day = CapacityDay()

    static func parse(_ arguments: ArraySlice<String>) -> Result<Options, CommandMistake> {
      var options = Options()
      var rest = arguments
      while let name = rest.popFirst() {
        guard let limits = limits[name] else {
          return .failure(CommandMistake("`capacity` does not take `\(name)`"))
        }
        guard let value = rest.popFirst().flatMap({ Int64($0) }), limits.contains(value) else {
          let range = "\(limits.lowerBound) to \(limits.upperBound)"
          return .failure(CommandMistake("`\(name)` needs a number from \(range)"))
        }
        options.set(name, to: value)
      }
      if options.accounts.isEmpty { options.accounts = standardAccounts }
      return .success(options)
    }

    private static let limits: [String: ClosedRange<Int64>] = [
      "--accounts": accountLimits, "--active-percent": 1...100, "--sign-in-days": 1...1000,
      "--renewals": 1...1440, "--event-days": 30...3650,
    ]

    private mutating func set(_ name: String, to value: Int64) {
      switch name {
      case "--accounts": accounts.append(value)
      case "--active-percent": day.activePercent = value
      case "--sign-in-days": day.daysBetweenSignIns = value
      case "--renewals": day.renewals = value
      default: day.eventDays = value
      }
    }
  }

  static let usage = """
    fieldpass capacity         measure what a sign-in and a renewal add to a database, and compute
                               the size of a database from that; it uses a new database in a
                               temporary folder, for some seconds

      --accounts N            plan for this number of accounts; can be repeated
                              (default: 1, 10 and 100 million)
      --active-percent N      people of a hundred who use an app on a day (default: 30)
      --sign-in-days N        an active person signs in once in this number of days (default: 10)
      --renewals N            renewals of an active person in a day (default: 24)
      --event-days N          how long events are stored, as `event_days` (default: 400)
    """

  static func run(_ options: Options) -> Int32 {
    let outcome = BlockingCall.run { () -> Result<CapacityCosts, CapacityWorkload.Fault> in
      do {
        return .success(try await measure())
      } catch {
        return .failure(CapacityWorkload.Fault(what: "\(error)"))
      }
    }
    switch outcome {
    case .success(let costs):
      let plan = CapacityPlan(costs: costs, day: options.day)
      let lines = plan.costLines + [""] + plan.planLines(accounts: options.accounts)
      LineWriter.standardOutput.write(lines.joined(separator: "\n"))
      return ExitStatus.done
    case .failure(let fault):
      complain(
        "the costs cannot be measured: \(fault.what)",
        hint: "check that the temporary folder can be written and has 50 MB free")
      return ExitStatus.failed
    }
  }

  private static func measure() async throws -> CapacityCosts {
    let folder = try temporaryFolder()
    defer { remove(folder) }
    let master = SecureRandom.bytes(Keyring.masterByteCount)
    let passwords = PooledPasswordHashing(threads: 1)
    let hash = try await passwords.hash(Secret("a password of a person"))
    let store = try SQLiteStore(directory: folder, keys: Keyring.storeKeys(master: master))
    defer { store.close() }
    let workload = CapacityWorkload(
      store: store, master: master, randomness: SystemRandomness(), passwords: passwords,
      decoyPasswordHash: hash)
    return try await CapacityCosts(
      measuring: workload, people: people, passwordHash: hash, written: { writtenBytes() })
  }

  private static func temporaryFolder() throws -> String {
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(place)/fieldpass-capacity-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw CapacityWorkload.Fault(what: "no folder can be made in \(place)")
    }
    return String(cString: made)
  }

  private static func remove(_ folder: String) {
    for suffix in ["", "-wal", "-shm"] { unlink("\(folder)/fieldpass.db\(suffix)") }
    rmdir(folder)
  }

  /// The bytes that this process has written (`proc(5)`, `wchar`).
  private static func writtenBytes() -> Int64 {
    guard let file = fopen("/proc/self/io", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix("wchar: ") else { continue }
      return Int64(text.dropFirst(7).prefix { $0.isNumber }) ?? 0
    }
    return 0
  }
}
