import SignInModel
import SignInRules
import SignInWire

/// What people of an installation do on a day, as the operator estimates it.
public struct CapacityDay: Equatable, Sendable {
  /// The people of a hundred who use an app on a day.
  public var activePercent: Int64 = 30
  /// An active person signs in once in this number of active days.
  public var daysBetweenSignIns: Int64 = 10
  /// The renewals of an active person: two hours of use with tokens of five minutes.
  public var renewals: Int64 = 24
  /// How long events are stored.
  public var eventDays: Int64 = Configuration.standardEventDays
  /// The part of a day's requests that comes in its busiest hour is one in this number.
  public static let busiestHourPart: Int64 = 8

  public init() {}

  /// The sessions that are renewed on a day, for each account.
  var renewedSessions: Double { Double(activePercent) / 100 }
  /// The sign-ins on a day, for each account.
  var signIns: Double { renewedSessions / Double(daysBetweenSignIns) }
}

/// The size of a store and the load of its disk, computed from measured costs.
public struct CapacityPlan: Sendable {
  public let costs: CapacityCosts
  public let day: CapacityDay

  public init(costs: CapacityCosts, day: CapacityDay) {
    self.costs = costs
    self.day = day
  }

  /// The tables that grow with people, by name.
  public var tables: [String] {
    let known = [costs.account, costs.signIn, costs.renewedDay].flatMap(\.keys)
    return Set(known).filter { costs.recordBytes[$0] != nil }.sorted()
  }

  /// How many days a record is stored after it was written, or nil if it is stored as long as its
  /// account.
  func keptDays(_ table: String) -> Double? {
    func days(_ seconds: Int64) -> Double { Double(seconds) / Double(Throttle.Limit.daySeconds) }
    switch table {
    case "security_events": return Double(day.eventDays)
    case "sessions": return days(Policy()[.session] + SignInLimits.retentionSeconds)
    case "sign_in_attempts", "outbox", "throttles": return days(SignInLimits.retentionSeconds)
    default: return nil
    }
  }

  /// The records that a day adds, for each account.
  public func recordsOfDay(_ table: String) -> Double {
    let renewals = day.renewedSessions * Double(day.renewals)
    return day.signIns * (costs.laterSignIn[table] ?? 0)
      + day.renewedSessions * (costs.renewedDay[table] ?? 0)
      + renewals * (costs.renewal[table] ?? 0)
  }

  /// The records that are stored when as many are removed as are added, for each account.
  public func records(_ table: String) -> Double {
    if let days = keptDays(table) { return recordsOfDay(table) * days }
    // A person has one device here, so another sign-in changes these records and adds none.
    return (costs.account[table] ?? 0) + (costs.signIn[table] ?? 0)
  }

  /// The bytes of a table for this number of accounts.
  public func bytes(_ table: String, accounts: Int64) -> Double {
    records(table) * (costs.recordBytes[table] ?? 0) * Double(accounts)
  }

  public func bytes(accounts: Int64) -> Double {
    tables.reduce(0) { $0 + bytes($1, accounts: accounts) }
  }

  /// The bytes that are written in the busiest second.
  public func writesInBusiestSecond(accounts: Int64) -> Double {
    busiest(day.signIns, accounts) * costs.signInWrites
      + busiest(day.renewedSessions * Double(day.renewals), accounts) * costs.renewalWrites
  }

  func busiest(_ perDay: Double, _ accounts: Int64) -> Double {
    perDay * Double(accounts) / Double(CapacityDay.busiestHourPart * Throttle.Limit.hourSeconds)
  }
}

// MARK: - Text

extension CapacityPlan {
  /// The measured costs as a table of Markdown.
  public var costLines: [String] {
    var lines = [
      "| Record | Bytes with indexes | Of a sign-in | Of a day with renewals | Days stored |",
      "| --- | --- | --- | --- | --- |",
    ]
    for table in tables {
      let stored = keptDays(table).map { Self.number($0) } ?? "with the account"
      lines.append(
        "| \(table) | \(Self.number(costs.recordBytes[table] ?? 0)) "
          + "| \(Self.number(costs.signIn[table] ?? 0)) "
          + "| \(Self.number(costs.renewedDay[table] ?? 0)) | \(stored) |")
    }
    lines += [
      "", "| Operation | Bytes written |", "| --- | --- |",
      "| Sign-in | \(Self.number(costs.signInWrites)) |",
      "| Renewal | \(Self.number(costs.renewalWrites)) |",
    ]
    return lines
  }

  /// The plan for these numbers of accounts as a table of Markdown.
  public func planLines(accounts: [Int64]) -> [String] {
    func row(_ name: String, _ value: (Int64) -> String) -> String {
      "| \(name) | " + accounts.map(value).joined(separator: " | ") + " |"
    }
    var lines = [
      row("Accounts") { Self.number(Double($0)) },
      "| --- |" + String(repeating: " --- |", count: accounts.count),
      row("Sign-ins in the busiest second") { Self.number(busiest(day.signIns, $0)) },
      row("Renewals in the busiest second") {
        Self.number(busiest(day.renewedSessions * Double(day.renewals), $0))
      },
      row("Events of a day") { Self.number(recordsOfDay("security_events") * Double($0)) },
    ]
    for table in tables {
      lines.append(row("Bytes of \(table)") { Self.size(bytes(table, accounts: $0)) })
    }
    lines += [
      row("Bytes in all") { Self.size(bytes(accounts: $0)) },
      row("Bytes written in the busiest second") { Self.size(writesInBusiestSecond(accounts: $0)) },
    ]
    return lines
  }

  /// At least two significant digits.
  static func number(_ value: Double) -> String {
    let tenths = Int64((value * 10).rounded())
    if value < 10, tenths % 10 != 0 { return "\(tenths / 10).\(tenths % 10)" }
    return grouped(value)
  }

  /// The nearest whole number, with thousands separators.
  public static func grouped(_ value: Double) -> String {
    let digits = Array(String(Int64(value.rounded())))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A number of bytes with its unit, such as `1.2 GB`.
  static func size(_ bytes: Double) -> String {
    var (value, unit) = (bytes, "B")
    for larger in ["kB", "MB", "GB", "TB"] where value >= 1000 {
      (value, unit) = (value / 1000, larger)
    }
    return "\(number(value)) \(unit)"
  }
}
