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
    guard let days = json[.days]?.elements, let openSessions = json[.openSessions]?.count,
      let pendingAccounts = json[.pendingAccounts]?.count,
      let lockedAccounts = json[.lockedAccounts]?.count,
      let failedMessages = json[.failedMessages]?.count
    else { return nil }
    var read: [Day] = []
    for entry in days {
      guard let day = Day(json: entry) else { return nil }
      read.append(day)
    }
    var organizations: [OrganizationID]?
    if let names = json[.organizations]?.elements {
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
    guard let text = json[.day]?.text else { return nil }
    do throws(Malformed) { self.init(try CalendarDay(parsing: text)) } catch { return nil }
    signIns = json[.signIns]?.count ?? 0
    failures = json[.failures]?.count ?? 0
    locks = json[.locks]?.count ?? 0
    codesSent = json[.codesSent]?.count ?? 0
    codesDelivered = json[.codesDelivered]?.count ?? 0
    codesEntered = json[.codesEntered]?.count ?? 0
  }
}
