public import JSONText
public import SignInModel

/// The answer of `GET /admin/overview`: counts by day, and what needs attention.
public struct OverviewAnswer: Equatable, Sendable {
  /// The counts of one day in UTC.
  public struct Day: Equatable, Sendable {
    public let day: CalendarDay
    public var signIns: Int64 = 0
    public var failures: Int64 = 0
    public var locks: Int64 = 0
    public var codesSent: Int64 = 0
    public var codesDelivered: Int64 = 0
    public var codesEntered: Int64 = 0

    public init(_ day: CalendarDay) { self.day = day }
  }

  /// The oldest day first; the last one is today.
  public let days: [Day]
  /// The organizations that are counted; `nil` for all accounts.
  public let organizations: [OrganizationID]?
  public let openSessions: Int64
  public let pendingAccounts: Int64
  public let lockedAccounts: Int64
  public let failedMessages: Int64

  public init(
    days: [Day], organizations: [OrganizationID]?, openSessions: Int64, pendingAccounts: Int64,
    lockedAccounts: Int64, failedMessages: Int64
  ) {
    self.days = days
    self.organizations = organizations
    self.openSessions = openSessions
    self.pendingAccounts = pendingAccounts
    self.lockedAccounts = lockedAccounts
    self.failedMessages = failedMessages
  }

  public var json: JSON {
    .members([
      JSONMember(.days, .array(days.map { $0.json })),
      organizations.map { JSONMember(.organizations, .array($0.map { .string($0.text) })) },
      JSONMember(.openSessions, openSessions),
      JSONMember(.pendingAccounts, pendingAccounts),
      JSONMember(.lockedAccounts, lockedAccounts),
      JSONMember(.failedMessages, failedMessages),
    ])
  }

  public init?(json: JSON) {
    guard let days = json.elements(.days), let openSessions = json.count(.openSessions),
      let pendingAccounts = json.count(.pendingAccounts),
      let lockedAccounts = json.count(.lockedAccounts),
      let failedMessages = json.count(.failedMessages)
    else { return nil }
    var read: [Day] = []
    for entry in days {
      guard let day = Day(json: entry) else { return nil }
      read.append(day)
    }
    var organizations: [OrganizationID]?
    if let names = json.elements(.organizations) {
      var known: [OrganizationID] = []
      for name in names {
        guard let text = name.text else { return nil }
        known.append(OrganizationID(text))
      }
      organizations = known
    }
    self.init(
      days: read, organizations: organizations, openSessions: openSessions,
      pendingAccounts: pendingAccounts, lockedAccounts: lockedAccounts,
      failedMessages: failedMessages)
  }
}

extension OverviewAnswer.Day {
  public var json: JSON {
    .members([
      JSONMember(.day, day.text),
      JSONMember(.signIns, signIns),
      JSONMember(.failures, failures),
      JSONMember(.locks, locks),
      JSONMember(.codesSent, codesSent),
      JSONMember(.codesDelivered, codesDelivered),
      JSONMember(.codesEntered, codesEntered),
    ])
  }

  public init?(json: JSON) {
    guard let text = json.text(.day) else { return nil }
    do throws(Malformed) { self.init(try CalendarDay(parsing: text)) } catch { return nil }
    signIns = json.count(.signIns) ?? 0
    failures = json.count(.failures) ?? 0
    locks = json.count(.locks) ?? 0
    codesSent = json.count(.codesSent) ?? 0
    codesDelivered = json.count(.codesDelivered) ?? 0
    codesEntered = json.count(.codesEntered) ?? 0
  }
}
