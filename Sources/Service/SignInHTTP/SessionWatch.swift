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

  private func tell(_ event: SecurityEvent) {
    if event.code == .sessionEnded, let session = event.session { waiters.ring(session) }
    // Rare enough that everybody may look whether their own terms have changed.
    if event.code == .clientPolicyChanged || event.code == .organizationPolicyChanged {
      waiters.ringAll()
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
      for event in events { tell(event) }
      last = events.last?.sequence ?? last
      let reached = last
      position.withLock { $0 = reached }
      if events.count < EventLimits.batch { return }
    }
  }
}
