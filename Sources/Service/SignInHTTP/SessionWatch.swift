import SignInModel
public import SignInService
import Synchronization

/// Finds ended sessions in the security log and wakes the requests that wait for them.
///
/// Every end of a session is recorded in the transaction that decides it. So the code that ends a
/// session need not know about waiting requests, and ends by a command or by another server on the
/// same store are found too. If no request waits, the log is not read.
public final class SessionWatch: Sendable {
  /// The pause between two checks.
  ///
  /// A waiting request learns of an end soon after this time.
  public static let pauseMilliseconds: Int64 = 250
  /// The pause if notifications of new events arrive.
  ///
  /// A notification can be lost, so the log is also read without one.
  public static let notifiedPauseMilliseconds: Int64 = 1000

  public let waiters: SessionWaiters
  /// The number of the newest event that was checked; `nil` while no request waits.
  private let position = Mutex<Int64?>(nil)
  private let progress = Mutex(Progress.idle)

  private enum Progress {
    case idle
    case checking
    /// There may be events that the running check has not read.
    case mustRepeat
  }

  public init(_ waiters: SessionWaiters) { self.waiters = waiters }

  /// Checks the log; one task must call it regularly.
  ///
  /// Only one check runs at a time. A call during a check makes it read the log again.
  public func check(in world: World) async {
    let begins = progress.withLock { progress in
      defer { progress = progress == .idle ? .checking : .mustRepeat }
      return progress == .idle
    }
    guard begins else { return }
    repeat { await checkOnce(in: world) } while mustRepeat()
  }

  private func mustRepeat() -> Bool {
    progress.withLock { progress in
      defer { progress = progress == .mustRepeat ? .checking : .idle }
      return progress == .mustRepeat
    }
  }

  private func checkOnce(in world: World) async {
    waiters.wakeDue(at: world.clock.now())
    guard !waiters.isEmpty else { return position.withLock { $0 = nil } }
    do throws(StoreFault) {
      try await catchUp(world.store)
    } catch {
      // The position does not change, so the next check reads the same events again.
      world.reportFault("the security log cannot be read for open session events")
    }
  }

  /// The events about an account that open apps show.
  private static let updateCodes: Set<SecurityEvent.Code> = [
    .newDevice, .resetWaiting, .resetCancelled, .accountResetRejected, .noticeDismissed,
    .accountChanged, .proposalDeclined,
  ]

  private func wakeWaiters(_ event: SecurityEvent, sessions: [Session]) {
    for session in sessions { waiters.wake(session.id) }
    if event.code == .sessionEnded, let session = event.session { waiters.wake(session) }
    // These events are rare, so all sessions check whether their own terms have changed.
    if event.code == .clientPolicyChanged || event.code == .organizationPolicyChanged {
      waiters.wakeAllWaiters()
    }
  }

  /// The sessions of the account, if the event is an update for its open apps.
  private func sessions(
    of event: SecurityEvent, _ store: any Store
  ) async throws(StoreFault) -> [Session] {
    guard let account = event.account, Self.updateCodes.contains(event.code) else { return [] }
    return try await store.read { (transaction: any SessionRecords) throws(StoreFault) in
      try transaction.sessions(of: account)
    }
  }

  private func catchUp(_ store: any Store) async throws(StoreFault) {
    guard var last = position.withLock({ $0 }) else {
      let newest = try await store.read { (transaction: any EventRecords) throws(StoreFault) in
        try transaction.lastEvent()?.sequence ?? 0
      }
      position.withLock { $0 = newest }
      // Requests that read their session before this position was known must read it again.
      return waiters.wakeAllWaiters()
    }
    while true {
      let known = last
      let events = try await store.read { (transaction: any EventRecords) throws(StoreFault) in
        try transaction.events(after: known, limit: EventLimits.batch)
      }
      for event in events { wakeWaiters(event, sessions: try await sessions(of: event, store)) }
      last = events.last?.sequence ?? last
      let reached = last
      position.withLock { $0 = reached }
      if events.count < EventLimits.batch { return }
    }
  }
}
