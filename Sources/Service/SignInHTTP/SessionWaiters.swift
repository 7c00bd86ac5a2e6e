import SignInModel
import Synchronization

/// The calls that wait for news of their session.
///
/// A call enters first, then looks, then waits: whatever is decided after its look rings it. It is
/// rung as well when its time is up, and when the server stops.
public final class SessionWaiters: Sendable {
  /// A call without news is answered after this time.
  public static let waitSeconds: Int64 = 50
  /// Of one session, as many windows of one browser; one more sends the oldest home.
  public static let perSessionLimit = 8
  /// Of all sessions; one more is told to come back later.
  public static let limit = 20_000

  private struct Waiter {
    let session: SessionID
    var isRung = false
    var deadline = Instant(milliseconds: .max)
    var continuation: CheckedContinuation<Void, Never>?
  }

  private struct State {
    var waiters: [Int64: Waiter] = [:]
    /// Oldest first.
    var tickets: [SessionID: [Int64]] = [:]
    var lastTicket: Int64 = 0
    /// No waiter's time is up before this moment.
    var earliest = Instant(milliseconds: .max)
    var isClosed = false

    /// Marks the waiter as rung and answers whom to wake, outside the lock.
    mutating func ring(_ ticket: Int64) -> CheckedContinuation<Void, Never>? {
      waiters[ticket]?.isRung = true
      let continuation = waiters[ticket]?.continuation
      waiters[ticket]?.continuation = nil
      return continuation
    }
  }

  private let state = Mutex(State())

  public init() {}

  public var isEmpty: Bool { state.withLock { $0.waiters.isEmpty } }
  public var isClosed: Bool { state.withLock { $0.isClosed } }
  public var count: Int { state.withLock { $0.waiters.count } }
  /// How many of them have looked and sleep until they are rung.
  var sleeperCount: Int {
    state.withLock { state in state.waiters.values.count { $0.continuation != nil } }
  }

  /// A ticket to wait with, which `leave` gives back; nil when there are too many.
  func enter(_ session: SessionID) -> Int64? {
    let (ticket, oldest) = state.withLock { state in
      guard state.waiters.count < Self.limit else {
        return (nil, nil) as (Int64?, CheckedContinuation<Void, Never>?)
      }
      state.lastTicket += 1
      state.waiters[state.lastTicket] = Waiter(session: session)
      state.tickets[session, default: []].append(state.lastTicket)
      let tickets = state.tickets[session] ?? []
      let isFull = tickets.count > Self.perSessionLimit
      return (state.lastTicket, isFull ? state.ring(tickets[0]) : nil)
    }
    oldest?.resume()
    return ticket
  }

  /// Returns when the session is rung, at `deadline`, or at once when either was so before.
  func wait(_ ticket: Int64, until deadline: Instant) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard let waiter = state.waiters[ticket], !waiter.isRung, !state.isClosed else {
          return true
        }
        state.waiters[ticket]?.deadline = deadline
        state.earliest = min(state.earliest, deadline)
        state.waiters[ticket]?.continuation = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
    state.withLock { $0.waiters[ticket]?.isRung = false }
  }

  /// Whether a call is the one too many of its session, and has to go home.
  func isSentHome(_ ticket: Int64) -> Bool {
    state.withLock { state in
      guard let session = state.waiters[ticket]?.session, let tickets = state.tickets[session]
      else { return true }
      return tickets.count > Self.perSessionLimit && tickets.first == ticket
    }
  }

  func leave(_ ticket: Int64) {
    state.withLock { state in
      guard let session = state.waiters.removeValue(forKey: ticket)?.session else { return }
      state.tickets[session]?.removeAll { $0 == ticket }
      if state.tickets[session]?.isEmpty == true { state.tickets[session] = nil }
    }
  }

  func ring(_ session: SessionID) {
    wake { state in (state.tickets[session] ?? []).compactMap { state.ring($0) } }
  }

  func ringAll() {
    wake { state in state.waiters.keys.compactMap { state.ring($0) } }
  }

  /// Rings those whose time is up.
  func ringDue(at now: Instant) {
    wake { state in
      guard now >= state.earliest else { return [] }
      var due: [Int64] = []
      state.earliest = Instant(milliseconds: .max)
      for (ticket, waiter) in state.waiters {
        if waiter.deadline <= now {
          due.append(ticket)
        } else {
          state.earliest = min(state.earliest, waiter.deadline)
        }
      }
      return due.compactMap { state.ring($0) }
    }
  }

  /// Sends everybody home, and whoever still comes.
  public func close() {
    wake { state in
      state.isClosed = true
      return state.waiters.keys.compactMap { state.ring($0) }
    }
  }

  private func wake(_ choose: (inout State) -> [CheckedContinuation<Void, Never>]) {
    for continuation in state.withLock({ state in choose(&state) }) { continuation.resume() }
  }
}
