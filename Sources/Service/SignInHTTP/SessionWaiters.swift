import SignInModel
import Synchronization

/// The requests that wait for changes of their session.
///
/// A request calls `enter`, reads its session, and then calls `wait`. A change after the read wakes
/// it. It also wakes at its deadline, and when the server stops. If several requests wake at once,
/// the oldest comes first.
public final class SessionWaiters: Sendable {
  /// A request without a change is answered after this time.
  public static let waitSeconds: Int64 = 50
  /// The largest number of waiting requests of one session, for example of the tabs of one browser.
  ///
  /// One more completes the oldest.
  public static let perSessionLimit = 8
  /// The largest number of waiting requests of all sessions.
  ///
  /// Further ones are refused with a time to retry.
  public static let limit = 20_000

  private struct Waiter {
    let session: SessionID
    var isWoken = false
    var deadline = Instant(milliseconds: .max)
    var continuation: CheckedContinuation<Void, Never>?
  }

  private struct State {
    var waiters: [Int64: Waiter] = [:]
    /// The tickets of each session, the oldest first.
    var tickets: [SessionID: [Int64]] = [:]
    var lastTicket: Int64 = 0
    /// No deadline of a waiter is earlier than this.
    var earliest = Instant(milliseconds: .max)
    var isClosed = false

    /// Marks the waiter as changed.
    ///
    /// The caller resumes the returned continuation outside the lock.
    mutating func wake(_ ticket: Int64) -> CheckedContinuation<Void, Never>? {
      waiters[ticket]?.isWoken = true
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
  /// The number of requests that have read their session and wait now.
  var sleeperCount: Int {
    state.withLock { state in state.waiters.values.count { $0.continuation != nil } }
  }

  /// A ticket for waiting; `nil` if too many requests wait.
  ///
  /// `leave` gives it back.
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
      return (state.lastTicket, isFull ? state.wake(tickets[0]) : nil)
    }
    oldest?.resume()
    return ticket
  }

  /// Returns when the session changes or at `deadline`; immediately if that has already happened.
  func wait(_ ticket: Int64, until deadline: Instant) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard let waiter = state.waiters[ticket], !waiter.isWoken, !state.isClosed else {
          return true
        }
        state.waiters[ticket]?.deadline = deadline
        state.earliest = min(state.earliest, deadline)
        state.waiters[ticket]?.continuation = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
    state.withLock { $0.waiters[ticket]?.isWoken = false }
  }

  /// Whether this request must be answered because its session has one waiting request too many.
  func mustComplete(_ ticket: Int64) -> Bool {
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

  func wake(_ session: SessionID) {
    wake { state in (state.tickets[session] ?? []).compactMap { state.wake($0) } }
  }

  func wakeAllWaiters() {
    wake { state in state.waiters.keys.sorted().compactMap { state.wake($0) } }
  }

  /// Wakes the requests that have reached their deadline.
  func wakeDue(at now: Instant) {
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
      return due.sorted().compactMap { state.wake($0) }
    }
  }

  /// Wakes all waiting requests.
  ///
  /// Later requests do not wait.
  public func close() {
    wake { state in
      state.isClosed = true
      return state.waiters.keys.sorted().compactMap { state.wake($0) }
    }
  }

  private func wake(_ choose: (inout State) -> [CheckedContinuation<Void, Never>]) {
    for continuation in state.withLock({ state in choose(&state) }) { continuation.resume() }
  }
}
