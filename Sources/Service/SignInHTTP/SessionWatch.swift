import SignInModel
public import SignInService
import Synchronization

/// Finds in the security log which sessions ended, and rings the calls that wait for them.
///
/// Every end of a session is recorded in the transaction that decides it, so nothing that ends one
/// has to think of whoever waits: an administrator's shell, another node on the same store and this
/// process are all alike. While nobody waits nothing is read.
public final class SessionWatch: Sendable {
  /// Between two looks: an end is known within this time of its commit, and a moment more.
  public static let restMilliseconds: Int64 = 250

  public let waiters: SessionWaiters
  /// The newest event that was looked at; nil while nobody waits.
  private let position = Mutex<Int64?>(nil)

  public init(_ waiters: SessionWaiters) { self.waiters = waiters }

  /// One look; to be called again and again, from one task.
  public func look(in world: World) async {
    waiters.ringDue(at: world.clock.now())
    guard !waiters.isEmpty else { return position.withLock { $0 = nil } }
    do throws(StoreFault) {
      try await catchUp(world.store)
    } catch {
      // The position stays, so that the next look finds what this one could not read.
      world.faultSeen("the security log cannot be read for those who wait for their session")
    }
  }

  /// What open apps are shown of their account, beside the session's own terms.
  private static let newsOfAccounts: Set<SecurityEvent.Code> = [
    .newDevice, .resetWaiting, .resetCancelled, .accountResetRejected, .noticeDismissed,
  ]

  private func tell(_ event: SecurityEvent, sessions: [Session]) {
    for session in sessions { waiters.ring(session.id) }
    if event.code == .sessionEnded, let session = event.session { waiters.ring(session) }
    // Rare enough that everybody may look whether their own terms have changed.
    if event.code == .clientPolicyChanged || event.code == .organizationPolicyChanged {
      waiters.ringAll()
    }
  }

  /// Those that are told news of their account.
  private func sessions(
    of event: SecurityEvent, _ store: any Store
  ) async throws(StoreFault) -> [Session] {
    guard let account = event.account, Self.newsOfAccounts.contains(event.code) else { return [] }
    return try await store.read { (look) throws(StoreFault) in
      try look.sessions(of: account)
    }
  }

  private func catchUp(_ store: any Store) async throws(StoreFault) {
    guard var last = position.withLock({ $0 }) else {
      let newest = try await store.read { (look) throws(StoreFault) in
        try look.lastEvent()?.sequence ?? 0
      }
      position.withLock { $0 = newest }
      // Whoever looked before this position was known looks again.
      return waiters.ringAll()
    }
    while true {
      let known = last
      let events = try await store.read { (look) throws(StoreFault) in
        try look.events(after: known, limit: EventLimits.batch)
      }
      for event in events { tell(event, sessions: try await sessions(of: event, store)) }
      last = events.last?.sequence ?? last
      let reached = last
      position.withLock { $0 = reached }
      if events.count < EventLimits.batch { return }
    }
  }
}
