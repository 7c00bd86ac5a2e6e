public import SignInModel
public import SignInWire

/// The filter of a list of events.
public struct EventQuery: Equatable, Sendable {
  public var account: AccountID?
  /// Matches only events with one of these codes.
  public var codes: [SecurityEvent.Code]?
  public var client: ClientID?
  public var period = Period()

  public init(account: AccountID? = nil) { self.account = account }

  public func finds(_ event: SecurityEvent) -> Bool {
    (account == nil || event.account == account) && (client == nil || event.client == client)
      && period.contains(event.at) && (codes?.contains(event.code) ?? true)
  }
}

/// The time between two moments; a period without one of them has no limit there.
public struct Period: Equatable, Sendable {
  public var from: Instant?
  /// The first moment after the period.
  public var until: Instant?

  public init(from: Instant? = nil, until: Instant? = nil) {
    self.from = from
    self.until = until
  }

  public func contains(_ moment: Instant) -> Bool {
    (from.map { $0 <= moment } ?? true) && (until.map { moment < $0 } ?? true)
  }
}

extension EventKind {
  /// The codes of the events of this kind.
  public var codes: [SecurityEvent.Code] {
    switch self {
    case .failures: [.passwordRefused, .codeRefused, .codeExpired, .providerRefused]
    case .signIns:
      [
        .passwordRefused, .locked, .stopped, .refusedLocked, .refusedDeactivated,
        .refusedNotAMember, .refusedUnregistered, .refusedTooSoon, .refusedTooOften,
        .refusedUndeliverable, .codeSent, .codeWithheld, .codeRepeated, .codeRefused,
        .codeExpired, .codeAccepted, .foreignDevice, .codeReplayed, .signInCompleted, .newDevice,
        .providerRefused, .serviceTokenIssued, .serviceRefused,
      ]
    case .locks:
      [
        .locked, .stopped, .refusedLocked, .resetRefusedLocked, .accountUnlocked, .accountReset,
      ]
    case .sessions:
      [
        .signInCompleted, .newDevice, .sessionRefreshed, .refreshRepeated, .sessionForeignDevice,
        .sessionSwitched, .reuseDetected, .sessionEnded, .accountSignedOut, .accountSessionEnded,
      ]
    case .passwords:
      [
        .resetRequested, .resetRefusedLocked, .resetCodeRefused, .resetCodeExpired,
        .newPasswordRefused, .passwordReset, .resetWaiting, .resetCancelled, .invitationAccepted,
        .invitationRefused, .passwordChanged, .currentPasswordRefused, .accountReset,
        .accountResetApproved, .accountResetRejected, .accountInvited,
      ]
    case .accounts:
      [
        .accountRegistered, .registrationRepeated, .noticeDismissed, .accountCreated,
        .accountApproved, .accountRejected, .accountDeactivated, .accountReactivated,
        .accountRemoved, .accountErased, .accountExported, .accountChanged,
        .accountPermissionChanged, .emailVerified, .phoneVerified, .accountUnlocked, .accountReset,
        .accountResetApproved, .accountResetRejected, .accountInvited, .accountSignedOut,
        .accountSessionEnded, .identityLinked, .identityUnlinked, .proposalDeclined,
        .listExported, .contactChangeUndone, .erasureRequested, .erasureCancelled,
      ]
    case .settings:
      [
        .clientPolicyChanged, .organizationPolicyChanged, .logCut, .logKeyed, .signingKeyRotated,
      ]
    case .products: [.productTransferred, .serviceRequested]
    }
  }
}

// MARK: - The place of a moment in the log

/// Finds the part of the security log that a period needs.
///
/// Events have numbers without gaps, almost in the order of their times. So a few of them show
/// where a moment is, and a list of an old day does not read all events after it.
enum EventSearch {
  /// How much the clocks of servers that share a database can differ, in seconds.
  ///
  /// An event can be out of order by this time at most.
  static let clockDifferenceSeconds: Int64 = 60 * 60

  /// All numbers that events can have.
  static let everyNumber: Range<Int64> = 0..<Int64.max

  /// The numbers that the events of the period can have.
  static func numbers(
    of period: Period, _ transaction: any EventRecords
  ) throws(StoreFault) -> Range<Int64> {
    if period == Period() { return everyNumber }
    let newest = try transaction.events(EventQuery(), in: everyNumber, limit: 1).first
    guard let newest else { return everyNumber }
    var range = try transaction.logStart().sequence + 1..<newest.sequence + 1
    if let from = period.from {
      let start = from.adding(seconds: -clockDifferenceSeconds)
      range = try place(of: start, in: range, transaction)..<range.upperBound
    }
    if let until = period.until {
      let end = until.adding(seconds: clockDifferenceSeconds)
      range = range.lowerBound..<(try place(of: end, in: range, transaction))
    }
    return range
  }

  /// The number of the first event of the range at or after the moment, or the end of the range.
  private static func place(
    of moment: Instant, in range: Range<Int64>, _ transaction: any EventRecords
  ) throws(StoreFault) -> Int64 {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      let event = try transaction.events(after: middle - 1, limit: 1).first
      if let event, event.at < moment { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
